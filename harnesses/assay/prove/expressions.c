/* SPDX-License-Identifier: MIT */
#include "expressions.h"

#include "../cli.h"

#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 1 << 17, TABLES_MAX = 64, TABLE_MAX = 64, OPERANDS_MAX = 3 };

struct node {
    enum expression_operation operation;
    int value; /* the value of a constant; the position of a byte; the number of a table */
    expression operands[OPERANDS_MAX];
};

struct expressions {
    struct node nodes[NODES_MAX];
    uint8_t tables[TABLES_MAX][TABLE_MAX];
    size_t node_count, table_count;
};

static _Thread_local struct expressions *all;

static const size_t operand_counts[] = {
#define X(id, operands) [EXPRESSION_##id] = operands,
    EXPRESSION_OPERATIONS(X)
#undef X
};

void expressions_begin(void)
{
    all = cli_alloc(1, sizeof *all);
}

void expressions_end(void)
{
    free(all);
    all = NULL;
}

static expression keep(const struct node *node)
{
    for (size_t i = 0; i < all->node_count; i++)
        if (all->nodes[i].operation == node->operation && all->nodes[i].value == node->value &&
            memcmp(all->nodes[i].operands, node->operands, sizeof node->operands) == 0)
            return (expression)i;
    if (all->node_count == NODES_MAX)
        cli_fail("a kernel has more than %d expressions", NODES_MAX);
    all->nodes[all->node_count] = *node;
    return (expression)all->node_count++;
}

static size_t keep_table(const uint8_t *table, size_t entry_count)
{
    uint8_t whole[TABLE_MAX];
    for (size_t i = 0; i < TABLE_MAX; i++)
        whole[i] = table[i % entry_count];
    for (size_t i = 0; i < all->table_count; i++)
        if (memcmp(all->tables[i], whole, sizeof whole) == 0)
            return i;
    if (all->table_count == TABLES_MAX)
        cli_fail("a kernel has more than %d tables", TABLES_MAX);
    memcpy(all->tables[all->table_count], whole, sizeof whole);
    return all->table_count++;
}

static uint8_t compute(const struct node *node, uint8_t a, uint8_t b, uint8_t c)
{
    switch (node->operation) {
    case EXPRESSION_AND: return a & b;
    case EXPRESSION_OR: return a | b;
    case EXPRESSION_XOR: return a ^ b;
    case EXPRESSION_SUBTRACT: return (uint8_t)(a > b ? a - b : 0);
    case EXPRESSION_MAX: return a > b ? a : b;
    case EXPRESSION_LOOKUP_HIGH: return all->tables[node->value][a >> 4];
    case EXPRESSION_LOOKUP_LOW: return all->tables[node->value][a & 0x0F];
    case EXPRESSION_LOOKUP_SIX: return all->tables[node->value][a & 0x3F];
    case EXPRESSION_AT_LEAST: return a >= b ? 0xFF : 0;
    case EXPRESSION_HIGH: return a >= 0x80 ? 0xFF : 0;
    case EXPRESSION_SELECT: return a != 0 ? b : c;
    default: return (uint8_t)node->value;
    }
}

static bool is_constant(expression e)
{
    return all->nodes[e].operation == EXPRESSION_CONSTANT;
}

uint8_t expression_value(expression e)
{
    if (!is_constant(e))
        cli_fail("a kernel makes a table, or a bound, of its input");
    return (uint8_t)all->nodes[e].value;
}

expression expression_byte(int position)
{
    return keep(&(struct node){.operation = EXPRESSION_BYTE, .value = position});
}

expression expression_constant(uint8_t value)
{
    return keep(&(struct node){.operation = EXPRESSION_CONSTANT, .value = value});
}

/* Computes an expression of constants, and drops an OR with zero. */
static expression simplify(const struct node *node)
{
    uint8_t values[OPERANDS_MAX] = {0};
    size_t count = operand_counts[node->operation], constants = 0;
    for (; constants < count && is_constant(node->operands[constants]); constants++)
        values[constants] = expression_value(node->operands[constants]);
    if (count > 0 && constants == count)
        return expression_constant(compute(node, values[0], values[1], values[2]));
    if (node->operation == EXPRESSION_OR && node->operands[0] == expression_constant(0))
        return node->operands[1];
    if (node->operation == EXPRESSION_OR && node->operands[1] == expression_constant(0))
        return node->operands[0];
    return keep(node);
}

expression expression_of(enum expression_operation operation, expression a, expression b, expression c)
{
    size_t count = operand_counts[operation];
    return simplify(&(struct node){operation, 0, {a, count > 1 ? b : 0, count > 2 ? c : 0}});
}

expression expression_lookup(enum expression_operation operation, const uint8_t *table, size_t entry_count,
                             expression index)
{
    return simplify(&(struct node){operation, (int)keep_table(table, entry_count), {index, 0, 0}});
}

expression expression_shift(expression e, int distance)
{
    struct node node = all->nodes[e];
    if (node.operation == EXPRESSION_BYTE)
        node.value += distance;
    for (size_t i = 0; i < operand_counts[node.operation]; i++)
        node.operands[i] = expression_shift(node.operands[i], distance);
    return keep(&node);
}

bool expression_reach(expression e, int *first, int *last)
{
    const struct node *node = &all->nodes[e];
    bool reaches = node->operation == EXPRESSION_BYTE;
    *first = *last = reaches ? node->value : 0;
    for (size_t i = 0; i < operand_counts[node->operation]; i++) {
        int from, to;
        if (!expression_reach(node->operands[i], &from, &to))
            continue;
        *first = !reaches || from < *first ? from : *first;
        *last = !reaches || to > *last ? to : *last;
        reaches = true;
    }
    return reaches;
}

size_t expression_terms(expression e, expression *terms, size_t capacity)
{
    struct node node = all->nodes[e];
    size_t count = 0;
    if (capacity == 0)
        cli_fail("a lane is the OR of too many parts");
    if (node.operation == EXPRESSION_OR) {
        count = expression_terms(node.operands[0], terms, capacity);
        return count + expression_terms(node.operands[1], terms + count, capacity - count);
    }
    bool is_masked = node.operation == EXPRESSION_AND && is_constant(node.operands[1]);
    if (!is_masked) {
        terms[0] = e;
        return 1;
    }
    count = expression_terms(node.operands[0], terms, capacity);
    for (size_t i = 0; i < count; i++)
        terms[i] = expression_of(EXPRESSION_AND, terms[i], node.operands[1], 0);
    return count;
}

size_t expression_size(expression e)
{
    size_t size = operand_counts[all->nodes[e].operation] > 0;
    for (size_t i = 0; i < operand_counts[all->nodes[e].operation]; i++)
        size += expression_size(all->nodes[e].operands[i]);
    return size;
}
