/* SPDX-License-Identifier: MIT
 *
 * The positions tier, for a subject: a share of the texts of each line, in turn, or all of them. The texts become
 * requests, and are asked and judged, a batch at a time. Of each line, one request is kept for each kind of request,
 * policy and result, so that memory does not grow with the number of texts.
 */
#include "run.h"

#include "../../../codecs/assume.h"
#include "../../core/compare.h"
#include "../vectors/positions.h"

#include <string.h>

/* One text of this number is asked. A plain program is started for each text. */
enum { SHARE_OF_PROCESS = 8, SHARE_OF_PLAIN = 64 };

enum { BATCH = 2048 }; /* requests */

/* A text of a line as a case of its own. */
struct text_case {
    struct vector_case test; /* first: the test of a request is that of its text */
    size_t tried, offset;    /* the index of the line among those tried */
};

struct batch {
    struct run *run;
    struct pool *pool; /* of the texts */
    struct requests requests;
};

/* ---- a text as a case --------------------------------------------------------------------------------------- */

/* The questions about a text are copied, since each is valid until the next one. */
struct copying {
    struct pool **pool;
    const void *input;               /* the copy */
    unsigned asked[OPERATION_COUNT]; /* the policies, one bit each */
    struct probe probes[1 + ASSAY_POLICY_COUNT];
    struct conversion conversions[ASSAY_POLICY_COUNT];
    size_t probe_count, conversion_count;
};

static const void *copy(struct pool **pool, const void *from, size_t size)
{
    return size > 0 ? memcpy(pool_alloc(pool, size, 1), from, size) : NULL;
}

/* The first question of an operation under a policy is the one about the whole text, with enough room. */
static bool is_copied(void *context, const struct line *line, size_t offset, size_t index, enum operation operation,
                      enum assay_policy policy)
{
    struct copying *copying = context;
    (void)line, (void)offset, (void)index;
    if (operation == OPERATION_COUNT)
        return true;
    bool is_first = !(copying->asked[operation] >> policy & 1);
    copying->asked[operation] |= 1u << policy;
    return is_first && (operation == OP_VALIDATE || operation == OP_DECODE_UTF32 || operation == OP_ENCODE_UTF32 ||
                        operation == OP_ENCODE_UTF16);
}

static bool copy_probe(void *context, const struct probe *probe)
{
    struct copying *copying = context;
    struct probe *own = &copying->probes[copying->probe_count++];
    const struct question *question = &probe->question;
    ASSUME(question->capacity == CAPACITY_ANY && question->cuts == NULL);
    if (copying->input == NULL)
        copying->input =
            copy(copying->pool, question->input, question->input_count * operation_input_unit(question->operation));
    *own = *probe;
    own->question.input = copying->input;
    if (question->operation != OP_VALIDATE)
        own->expected.output = copy(copying->pool, probe->expected.output,
                                    probe->expected.result.written * operation_output_unit(question->operation));
    return true;
}

static bool copy_conversion(void *context, const struct conversion *conversion)
{
    struct copying *copying = context;
    struct conversion *own = &copying->conversions[copying->conversion_count++];
    if (copying->input == NULL)
        copying->input = copy(copying->pool, conversion->input, conversion->input_count);
    *own = *conversion;
    own->input = copying->input;
    own->output = copy(copying->pool, conversion->output, conversion->output_count);
    return true;
}

static struct text_case *make_text(struct pool **pool, const struct run *run, size_t tried, size_t offset)
{
    const struct vector_case *test = run->tried[tried].test;
    struct copying copying = {.pool = pool};
    struct text_case *text = pool_alloc(pool, 1, sizeof *text);
    line_ask_at(
        test->line, offset,
        &(struct line_asker){
            .context = &copying, .probe = copy_probe, .conversion = copy_conversion, .share = 1, .wants = is_copied});
    *text = (struct text_case){*test, tried, offset};
    text->test.probes = copy(pool, copying.probes, copying.probe_count * sizeof *copying.probes);
    text->test.probe_count = copying.probe_count;
    text->test.conversions = copy(pool, copying.conversions, copying.conversion_count * sizeof *copying.conversions);
    text->test.conversion_count = copying.conversion_count;
    return text;
}

/* ---- what is kept of the answers ------------------------------------------------------------------------------ */

/* Returns the request kept of the same line that had the same result; NULL: none. Those of this line are the last. */
static struct request *find_kept(struct run *run, const struct tried *tried, const struct request *request)
{
    for (size_t i = tried->first; i < run->requests.count; i++) {
        struct request *kept = &run->requests.all[i];
        if (kept->ask == request->ask && kept->policy == request->policy && kept->outcome == request->outcome &&
            request_difference(run, kept) == request_difference(run, request))
            return kept;
    }
    return NULL;
}

/* A request that failed is shown, so that its text is made once more, to last. */
static void keep(struct run *run, struct request *request)
{
    const struct text_case *text = (const struct text_case *)request->test;
    struct tried *tried = &run->tried[text->tried];
    if (tried->request_count == 0)
        tried->first = run->requests.count;
    struct request *kept = find_kept(run, tried, request), own = *request;
    if (kept != NULL) {
        kept->others++;
        return;
    }
    if (request_failed(run, request)) {
        const struct text_case *lasting = make_text(&run->vectors.pool, run, text->tried, text->offset);
        own.test = &lasting->test;
        if (own.probe != NULL)
            own.probe = lasting->test.probes + (request->probe - text->test.probes);
        else
            own.conversion = lasting->test.conversions + (request->conversion - text->test.conversions);
        request->reply = NULL;
    } else {
        own.test = tried->test;
        own.probe = NULL;
        own.conversion = NULL;
        own.reply = NULL;
    }
    tried->request_count++;
    requests_push(&run->requests, &own);
}

static void ask_batch(struct batch *batch)
{
    struct run *run = batch->run;
    struct request *all = batch->requests.all;
    if (run->settings.is_plain)
        plain_ask(run, &batch->requests, true);
    else
        process_ask(&run->process, all, batch->requests.count, NULL);
    run->asked += run->settings.is_plain ? plain_count_starts(&batch->requests) : batch->requests.count;
    judge_policies(run, all, batch->requests.count);
    for (size_t i = 0; i < batch->requests.count; i++) {
        bool is_first = i == 0 || all[i].test != all[i - 1].test;
        run->texts_asked += is_first && all[i].outcome != OUTCOME_NOT_ASKED;
        keep(run, &all[i]);
    }
    requests_free(&batch->requests);
    pool_free(&batch->pool);
}

/* ---- which texts are asked, and what about them ---------------------------------------------------------------- */

/* True for one of each `share` texts of a line, and for one at least: in each line, and after each of these texts, at
 * another remainder. */
static bool is_turn(const struct line *line, size_t index, size_t share)
{
    if (share > line->offset_count)
        share = line->offset_count;
    return (line->number + index + index / share) % share == 0;
}

/* Adds the requests about a text: its verdict, and one of the others, in turn; or all. Returns false if the subject
 * offers none. */
static bool add_text(struct batch *batch, size_t tried, size_t offset, size_t turn)
{
    struct run *run = batch->run;
    struct requests *requests = &batch->requests;
    const struct category *category = run->tried[tried].category;
    size_t begin = requests->count, end = begin, others = 0, other = 0;
    requests_of_case(requests, category, &make_text(&batch->pool, run, tried, offset)->test, &run->process.offer);
    for (size_t i = begin; i < requests->count; i++)
        others += requests->all[i].ask != ASK_VALIDATE;
    for (size_t i = begin; i < requests->count; i++)
        if (run->settings.is_thorough || requests->all[i].ask == ASK_VALIDATE || other++ == turn % others) {
            requests->all[end] = requests->all[i];
            requests->all[end++].encoding = run_encoding(run, category);
        }
    requests->count = end;
    return end > begin;
}

static size_t share_of(const struct run *run)
{
    return run->settings.is_thorough ? 1 : run->settings.is_plain ? SHARE_OF_PLAIN : SHARE_OF_PROCESS;
}

static bool is_wanted(const struct tried *tried)
{
    return tried->test->line != NULL && tried->verdict != SKIPPED_BY_WISH;
}

/* What is asked about one text of a line: starts of a plain program, or requests. 0: the subject offers none. */
static size_t count_for_text(struct run *run, size_t tried)
{
    struct batch batch = {.run = run};
    const struct line *line = run->tried[tried].test->line;
    bool is_offered = line->offset_count > 0 && add_text(&batch, tried, line->offsets[0], line->number);
    size_t count = !is_offered ? 0 : run->settings.is_plain ? 1 : batch.requests.count;
    requests_free(&batch.requests);
    pool_free(&batch.pool);
    return count;
}

void positions_plan(struct run *run)
{
    for (size_t tried = 0; tried < run->tried_count; tried++) {
        size_t for_text = is_wanted(&run->tried[tried]) ? count_for_text(run, tried) : 0;
        if (for_text == 0)
            continue;
        const struct line *line = run->tried[tried].test->line;
        run->texts += line->offset_count;
        for (size_t i = 0; i < line->offset_count; i++)
            run->to_ask += is_turn(line, i, share_of(run)) ? for_text : 0;
    }
}

static void add_line(struct batch *batch, size_t tried)
{
    const struct line *line = batch->run->tried[tried].test->line;
    size_t turn = line->number;
    for (size_t i = 0; i < line->offset_count && cli_interruption == 0; i++) {
        if (!is_turn(line, i, share_of(batch->run)))
            continue;
        if (!add_text(batch, tried, line->offsets[i], turn++))
            return;
        if (batch->requests.count >= BATCH)
            ask_batch(batch);
    }
}

void positions_ask(struct run *run)
{
    struct batch batch = {.run = run};
    for (size_t i = 0; i < run->tried_count; i++) {
        if (!is_wanted(&run->tried[i]))
            continue;
        add_line(&batch, i);
        run_show_progress(run, 0);
    }
    ask_batch(&batch);
}
