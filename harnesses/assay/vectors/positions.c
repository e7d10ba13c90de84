/* SPDX-License-Identifier: MIT
 *
 * Reads the positions tier: a table of parts, and a table of lines, which name parts. A violation of the format ends
 * the program with a message that names file and line.
 */
#include "positions.h"

#include "../cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_ROW = 1 << 16, MOST_COLUMNS = 16, FARTHEST = 1 << 24 };

/* ---- tables ------------------------------------------------------------------------------------ */

struct table {
    const char *path;
    FILE *file;
    size_t row;
    char *columns[MOST_COLUMNS];
    size_t column_count, name_count; /* of the current row, and of the first */
    char names[MOST_COLUMNS][32];
    char text[LONGEST_ROW];
};

static _Noreturn void refuse(const struct table *table, const char *why, const char *value)
{
    cli_fail("%s:%zu: %s: '%.60s'", table->path, table->row, why, value);
}

/* Reads the next row and splits it into columns. Returns false at the end. */
static bool next_row(struct table *table)
{
    if (fgets(table->text, sizeof table->text, table->file) == NULL)
        return false;
    table->row++;
    size_t length = strcspn(table->text, "\n");
    if (table->text[length] == '\0')
        refuse(table, "the row is too long, or has no end", table->text);
    table->text[length] = '\0';
    table->column_count = 0;
    for (char *at = table->text; at != NULL; table->column_count++) {
        if (table->column_count == MOST_COLUMNS)
            refuse(table, "there are too many columns", at);
        table->columns[table->column_count] = at;
        at = strchr(at, '\t');
        if (at != NULL)
            *at++ = '\0';
    }
    if (table->name_count > 0 && table->column_count != table->name_count)
        refuse(table, "has another number of columns than the first row", table->text);
    return true;
}

static void open_table(struct table *table, const char *path, const char *first_names)
{
    char names[256];
    *table = (struct table){.path = path, .file = cli_open_data(path)};
    if (table->file == NULL)
        cli_fail("%s: %s", path, strerror(errno));
    if (!next_row(table))
        refuse(table, "there is no row", "");
    snprintf(names, sizeof names, "%s", first_names);
    size_t i = 0;
    for (char *name = strtok(names, " "); name != NULL; name = strtok(NULL, " "), i++)
        if (i >= table->column_count || strcmp(table->columns[i], name) != 0)
            refuse(table, "the first row does not name the column", name);
    for (i = 0; i < table->column_count; i++)
        snprintf(table->names[i], sizeof table->names[i], "%s", table->columns[i]);
    table->name_count = table->column_count;
}

static const char *column(const struct table *table, const char *name)
{
    for (size_t i = 0; i < table->name_count; i++)
        if (strcmp(table->names[i], name) == 0)
            return table->columns[i];
    return NULL;
}

/* ---- values ------------------------------------------------------------------------------------ */

static size_t count_of(const char *text, char separator)
{
    size_t count = 1;
    for (const char *at = text; *at != '\0'; at++)
        count += *at == separator;
    return count;
}

/* Copies the text before the separator, or all of it. Returns the text after the separator. */
static const char *take_column(const struct table *table, const char *from, char separator, char *item, size_t size)
{
    const char *end = strchr(from, separator);
    size_t length = end != NULL ? (size_t)(end - from) : strlen(from);
    if (length >= size)
        refuse(table, "an item is too long", from);
    memcpy(item, from, length);
    item[length] = '\0';
    return end != NULL ? end + 1 : from + length;
}

static size_t number_of(const struct table *table, const char *text, char **end)
{
    unsigned long value = strtoul(text, end, 10);
    if (*text < '0' || *text > '9' || value > FARTHEST)
        refuse(table, "is no number, or too large", text);
    return value;
}

static struct units hex_of(const struct table *table, struct pool **pool, const char *text)
{
    size_t length = strlen(text), count = 0;
    uint8_t *bytes = pool_alloc(pool, length / 2 + 1, 1);
    if (strcmp(text, "-") != 0 && !cli_parse_hex(text, length, bytes, &count))
        refuse(table, "is neither hex nor -", text);
    return (struct units){bytes, count};
}

static struct units scalars_of(const struct table *table, struct pool **pool, const char *text)
{
    uint32_t *units = pool_alloc(pool, count_of(text, ','), sizeof *units);
    size_t count = 0;
    for (char *end; strcmp(text, "-") != 0 && *text != '\0'; text = *end == ',' ? end + 1 : end) {
        units[count++] = (uint32_t)strtoul(text, &end, 16);
        if (end == text || (*end != ',' && *end != '\0'))
            refuse(table, "is neither code points nor -", text);
    }
    return (struct units){units, count};
}

static enum assay_fault fault_of(const struct table *table, const char *name)
{
    if (strcmp(name, "-") == 0)
        return ASSAY_FAULT_NONE;
    for (enum assay_fault fault = ASSAY_FAULT_NONE + 1; fault < ASSAY_FAULT_COUNT; fault++)
        if (strcmp(assay_fault_name(fault), name) == 0)
            return fault;
    refuse(table, "there is no such fault", name);
}

/* ---- parts ------------------------------------------------------------------------------------- */

static bool is_encoding(const char *operation)
{
    return strncmp(operation, "encode", strlen("encode")) == 0;
}

static struct units input_of(const struct table *table, struct pool **pool, const char *operation)
{
    if (!is_encoding(operation))
        return hex_of(table, pool, column(table, "input"));
    struct units wide = scalars_of(table, pool, column(table, "input"));
    if (strcmp(operation, "encode-utf16") != 0)
        return wide;
    uint16_t *units = pool_alloc(pool, wide.count, sizeof *units);
    for (size_t i = 0; i < wide.count; i++)
        units[i] = (uint16_t)((const uint32_t *)wide.units)[i];
    return (struct units){units, wide.count};
}

static void read_lengths(const struct table *table, struct segment *segments, size_t count, size_t input_count)
{
    const char *lengths = column(table, "lengths"), *faults = column(table, "faults"),
               *certain = column(table, "certain");
    if (count_of(faults, ',') != count || count_of(certain, ',') != count)
        refuse(table, "lengths, faults and certain differ in number", lengths);
    char item[64], *end;
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        lengths = take_column(table, lengths, ',', item, sizeof item);
        segments[i].length = number_of(table, item, &end);
        sum += segments[i].length;
        faults = take_column(table, faults, ',', item, sizeof item);
        segments[i].fault = fault_of(table, item);
        certain = take_column(table, certain, ',', item, sizeof item);
        segments[i].certain = strcmp(item, "-") == 0 ? SIZE_MAX : number_of(table, item, &end);
    }
    if (sum != input_count)
        refuse(table, "the lengths are together not that of the input", column(table, "lengths"));
}

/* Reads the output of each segment under a policy. The output of a conversion is all assigned to the first segment. */
static void read_groups(const struct table *table, struct pool **pool, const char *groups, bool is_bytes,
                        struct segment *segments, size_t count, enum assay_policy policy)
{
    char item[1 << 10];
    if (count_of(groups, '|') != count)
        refuse(table, "there is not one group for each length", groups);
    for (size_t i = 0; i < count; i++) {
        groups = take_column(table, groups, '|', item, sizeof item);
        segments[i].stops[policy] = strcmp(item, "!") == 0;
        if (!segments[i].stops[policy])
            segments[i].outputs[policy] = is_bytes ? hex_of(table, pool, item) : scalars_of(table, pool, item);
    }
}

/* Codecs do not remove signatures; their caller does. So the expected output of the codec is U+FEFF. */
static void put_signature(struct segment *segment)
{
    static const uint32_t mark = 0xFEFF;
    if (segment->fault == ASSAY_FAULT_NONE && segment->outputs[ASSAY_POLICY_WHATWG].count == 0)
        for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
            segment->outputs[policy] = (struct units){&mark, 1};
}

static struct part read_part(const struct table *table, struct pool **pool)
{
    const char *operation = pool_keep(pool, column(table, "operation"));
    size_t count = count_of(column(table, "lengths"), ',');
    struct segment *segments = pool_alloc(pool, count, sizeof *segments);
    struct part part = {
        operation, pool_keep(pool, column(table, "part")), input_of(table, pool, operation), segments, count, {true}};
    bool is_decoding = strcmp(operation, "decode") == 0;
    read_lengths(table, segments, count, part.input.count);
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++) {
        const char *groups = column(table, assay_policy_name(policy));
        part.has_policy[policy] = policy == ASSAY_POLICY_STRICT || (groups != NULL && strcmp(groups, "null") != 0);
        if (groups != NULL && part.has_policy[policy])
            read_groups(table, pool, groups, !is_decoding, segments, count, policy);
    }
    for (size_t i = 0; i < count;
         i++) { /* `strict` stops at an error; the output of a character is the same under all policies */
        segments[i].stops[ASSAY_POLICY_STRICT] = segments[i].fault != ASSAY_FAULT_NONE;
        segments[i].outputs[ASSAY_POLICY_STRICT] = segments[i].outputs[ASSAY_POLICY_WHATWG];
        if (is_decoding)
            put_signature(&segments[i]);
    }
    return part;
}

static int compare_parts(const void *left, const void *right)
{
    const struct part *a = left, *b = right;
    int order = strcmp(a->operation, b->operation);
    return order != 0 ? order : strcmp(a->name, b->name);
}

static void read_parts(struct tier *tier, struct pool **pool, const char *path)
{
    static struct table table;
    open_table(&table, path, "operation part input lengths faults certain");
    struct part *parts = NULL;
    size_t capacity = 0;
    while (next_row(&table)) {
        if (tier->part_count == capacity) {
            capacity = 2 * capacity + 64;
            parts = realloc(parts, capacity * sizeof *parts);
            if (parts == NULL)
                cli_fail("out of memory");
        }
        parts[tier->part_count++] = read_part(&table, pool);
    }
    fclose(table.file);
    if (tier->part_count == 0)
        refuse(&table, "there are no parts", "");
    qsort(parts, tier->part_count, sizeof *parts, compare_parts);
    tier->parts = memcpy(pool_alloc(pool, tier->part_count, sizeof *parts), parts, tier->part_count * sizeof *parts);
    free(parts);
}

/* ---- lines ------------------------------------------------------------------------------------- */

static const struct part *find_part(const struct table *table, const struct tier *tier, const char *name)
{
    const struct part wanted = {.operation = column(table, "operation"), .name = name};
    if (strcmp(name, "-") == 0)
        return NULL;
    const struct part *found = bsearch(&wanted, tier->parts, tier->part_count, sizeof wanted, compare_parts);
    if (found == NULL)
        refuse(table, "there is no such part", name);
    return found;
}

/* "0-130", "255-257,65535-65537,70000". */
static void read_offsets(const struct table *table, struct pool **pool, struct line *line)
{
    const char *text = column(table, "offsets");
    for (int pass = 0; pass < 2; pass++) {
        size_t *offsets = pass == 1 ? pool_alloc(pool, line->offset_count, sizeof *offsets) : NULL;
        line->offset_count = 0;
        for (char *at = (char *)text, *end = at; *end != '\0'; at = end + (*end == ',')) {
            size_t first = number_of(table, at, &end), last = *end == '-' ? number_of(table, end + 1, &end) : first;
            if ((*end != ',' && *end != '\0') || last < first)
                refuse(table, "are no offsets", text);
            for (size_t offset = first; offset <= last; offset++, line->offset_count++)
                if (pass == 1)
                    offsets[line->offset_count] = offset;
        }
        line->offsets = offsets;
    }
}

static void read_operation(const struct table *table, struct pool **pool, struct line *line)
{
    static const char to[] = "convert-";
    const char *operation = column(table, "operation");
    line->operation = OP_DECODE_UTF32;
    if (strcmp(operation, "encode") == 0)
        line->operation = OP_ENCODE_UTF32;
    else if (strcmp(operation, "encode-utf16") == 0)
        line->operation = OP_ENCODE_UTF16;
    else if (strncmp(operation, to, strlen(to)) == 0)
        line->to = pool_keep(pool, operation + strlen(to));
    else if (strcmp(operation, "decode") != 0)
        refuse(table, "there is no such operation", operation);
    if (line->to != NULL && registry_reference(line->to) == NULL)
        refuse(table, "no codec is there for the encoding", line->to);
}

static struct line read_line(const struct table *table, struct pool **pool, const struct tier *tier)
{
    struct line line = {.tier = tier, .number = table->row};
    char *end;
    read_operation(table, pool, &line);
    read_offsets(table, pool, &line);
    line.before = find_part(table, tier, column(table, "before"));
    line.pad = find_part(table, tier, column(table, "pad"));
    line.filler = find_part(table, tier, column(table, "filler"));
    line.subject = find_part(table, tier, column(table, "subject"));
    line.after = find_part(table, tier, column(table, "after"));
    line.times = number_of(table, column(table, "times"), &end);
    if (line.pad == NULL || line.filler == NULL || line.subject == NULL || (line.after == NULL) != (line.times == 0) ||
        line.filler->input.count % line.pad->input.count != 0)
        refuse(table, "pad, filler or subject are missing, or do not go together", column(table, "name"));
    return line;
}

/* Long names of parts are cut. */
static const char *comment_of(struct pool **pool, const struct line *line)
{
    char comment[256], before[96] = "";
    if (line->times > 0)
        snprintf(before, sizeof before, ", before %zu x %.40s", line->times, line->after->name);
    snprintf(comment, sizeof comment, "%.80s after %.40s at %zu offsets%s", line->subject->name, line->filler->name,
             line->offset_count, before);
    return pool_keep(pool, comment);
}

/* ENCODING/positions/NAME. */
static const char *id_of(struct pool **pool, const char *category, const char *name)
{
    size_t size = strlen(category) + 1 + strlen(name) + 1;
    char *id = pool_alloc(pool, size, 1);
    snprintf(id, size, "%s/%s", category, name);
    return id;
}

static struct category read_lines(struct pool **pool, const char *path, const struct tier *tier, const char *name)
{
    static struct table table;
    struct category category = {.name = name, .codec_encoding = tier->reference->encoding};
    size_t capacity = 0;
    struct vector_case *cases = NULL;
    open_table(&table, path, "name operation offsets before pad filler subject after times");
    while (next_row(&table)) {
        if (category.case_count == capacity) {
            capacity = 2 * capacity + 256;
            cases = realloc(cases, capacity * sizeof *cases);
            if (cases == NULL)
                cli_fail("out of memory");
        }
        struct line *line = pool_alloc(pool, 1, sizeof *line);
        *line = read_line(&table, pool, tier);
        cases[category.case_count++] = (struct vector_case){
            .id = id_of(pool, name, table.columns[0]), .comment = comment_of(pool, line), .line = line};
    }
    fclose(table.file);
    if (category.case_count == 0)
        refuse(&table, "there are no lines", "");
    category.cases =
        memcpy(pool_alloc(pool, category.case_count, sizeof *cases), cases, category.case_count * sizeof *cases);
    free(cases);
    return category;
}

struct category positions_read(struct pool **pool, const char *folder, const char *name, const char *codec_encoding)
{
    struct tier *tier = pool_alloc(pool, 1, sizeof *tier);
    size_t length = strcspn(name, "/"), size = strlen(folder) + length + sizeof "/-positions.tsv";
    char *path = pool_alloc(pool, size, 1);
    tier->reference = registry_reference(codec_encoding);
    snprintf(path, size, "%s/%.*s-parts.tsv", folder, (int)length, name);
    read_parts(tier, pool, path);
    snprintf(path, size, "%s/%.*s-positions.tsv", folder, (int)length, name);
    return read_lines(pool, path, tier, name);
}
