/* SPDX-License-Identifier: MIT
 *
 * Runs chunks in one process for each core, and writes the checkpoint.
 */
#include "chunks.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct chunk_options chunk_options = {.shard = 1, .shard_count = 1, .jobs = 1};

enum { JOBS_MAX = 1024, SORTS_MAX = 32 };
static const double seconds_between_checkpoints = 5;

/* The counts of one worker. */
struct worker_tally {
    uint64_t inputs, asked, skipped, diverged;
    struct {
        char key[KEY_SIZE];
        uint64_t count;
    } sorts[SORTS_MAX];
};

/* Memory that the parent shares with its workers. Each worker writes its own tally, and the chunks that it claims. */
struct board {
    atomic_size_t next;
    atomic_bool stops; /* with --fail-fast, after a divergence */
    atomic_uchar is_done[CHUNK_COUNT];
    struct digests of[CHUNK_COUNT];
    struct worker_tally tallies[JOBS_MAX];
};

static volatile sig_atomic_t is_interrupted;

static void on_interrupt(int signal)
{
    is_interrupted = signal;
}

/* ---- a worker ------------------------------------------------------------------------------------------------ */

static void write_tally(const struct sweep *sweep, struct worker_tally *tally)
{
    const char *key;
    json_t *count;
    size_t at = 0;
    tally->inputs = sweep->inputs;
    tally->asked = sweep->comparer.asked;
    tally->skipped = sweep->comparer.skipped;
    tally->diverged = sweep->comparer.diverged;
    json_object_foreach (sweep->sorts, key, count) {
        if (at == SORTS_MAX)
            break;
        snprintf(tally->sorts[at].key, KEY_SIZE, "%s", key);
        tally->sorts[at++].count = (uint64_t)json_integer_value(count);
    }
}

/* Runs chunks. A chunk with a divergence is not marked as done, so a run from the checkpoint repeats it. */
static _Noreturn void work(struct sweep *sweep, const struct chunks *chunks, struct board *board,
                           struct worker_tally *tally, pid_t parent,
                           void (*run)(struct sweep *, size_t, struct digests *))
{
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    comparer_begin(&sweep->comparer);
    for (size_t i; (i = atomic_fetch_add(&board->next, 1)) < chunks->to && !board->stops && getppid() == parent;) {
        uint64_t before = sweep->comparer.diverged;
        if (chunks->is_done[i])
            continue;
        run(sweep, i, &board->of[i]);
        write_tally(sweep, tally);
        if (sweep->comparer.diverged == before)
            board->is_done[i] = true;
        else if (sweep_fails_fast)
            board->stops = true;
    }
    asking_ends();
    fflush(stderr);
    _exit(EXIT_CLEAN);
}

/* ---- the parent ---------------------------------------------------------------------------------------------- */

static void read_board(struct chunks *chunks, const struct board *board)
{
    for (size_t i = chunks->from; i < chunks->to; i++)
        if (board->is_done[i] && !chunks->is_done[i]) {
            chunks->of[i] = board->of[i];
            chunks->is_done[i] = true;
        }
}

static void stop_all(const pid_t *workers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (workers[i] > 0)
            kill(workers[i], SIGKILL);
}

/* Records workers that have ended. Returns how many are running. A worker that ended abnormally asked a codec that
 * crashed, and has written the letter. */
static size_t reap(pid_t *workers, size_t count)
{
    size_t running = 0;
    for (size_t i = 0; i < count; i++) {
        int status;
        if (workers[i] <= 0)
            continue;
        if (waitpid(workers[i], &status, WNOHANG) != workers[i]) {
            running++;
            continue;
        }
        workers[i] = 0;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_CLEAN) {
            stop_all(workers, count);
            cli_clear_progress();
            if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_DIVERGENCE)
                exit(cli_finish(EXIT_DIVERGENCE));
            cli_fail("a process of the enumeration ended early");
        }
    }
    return running;
}

static void save(struct chunks *chunks, const struct board *board, double *saved_at)
{
    size_t before = chunks_done(chunks);
    read_board(chunks, board);
    double now = cli_now_ns();
    bool is_due = before == 0 || now - *saved_at >= seconds_between_checkpoints * 1e9;
    if (chunk_options.checkpoint != NULL && chunks_done(chunks) > 0 && is_due) {
        chunks_write(chunks, chunk_options.checkpoint);
        *saved_at = now;
    }
}

static void supervise(struct sweep *sweep, struct chunks *chunks, const struct board *board, pid_t *workers,
                      size_t count)
{
    static const struct timespec pause = {0, 50000000};
    double saved_at = cli_now_ns();
    size_t done_before = chunks_done(chunks);
    while (reap(workers, count) > 0 && !is_interrupted) {
        nanosleep(&pause, NULL);
        save(chunks, board, &saved_at);
        if (cli_progress_is_due(&sweep->shown_at)) /* the estimate counts only chunks of this run */
            cli_print_progress(chunks_done(chunks) - done_before, chunks->to - chunks->from - done_before, sweep->begun,
                               "%s %s: %zu of %zu chunks", sweep->comparer.encoding, sweep->part, chunks_done(chunks),
                               chunks->to - chunks->from);
    }
    read_board(chunks, board);
    if (chunk_options.checkpoint != NULL)
        chunks_write(chunks, chunk_options.checkpoint);
    if (is_interrupted) {
        stop_all(workers, count);
        cli_clear_progress();
        cli_fail("interrupted; the same command goes on from %s", chunk_options.checkpoint);
    }
}

static void add_tally(struct sweep *sweep, const struct worker_tally *tally)
{
    sweep->inputs += tally->inputs;
    sweep->comparer.asked += tally->asked;
    sweep->comparer.skipped += tally->skipped;
    sweep->comparer.diverged += tally->diverged;
    for (size_t i = 0; i < SORTS_MAX && tally->sorts[i].key[0] != '\0'; i++) {
        const char *key = tally->sorts[i].key;
        json_int_t before = json_integer_value(json_object_get(sweep->sorts, key));
        json_object_set_new(sweep->sorts, key, json_integer(before + (json_int_t)tally->sorts[i].count));
    }
}

static void start_workers(struct sweep *sweep, const struct chunks *chunks, struct board *board, pid_t *workers,
                          void (*run)(struct sweep *, size_t, struct digests *))
{
    pid_t parent = getpid();
    fflush(NULL);
    for (size_t i = 0; i < chunk_options.jobs; i++) {
        workers[i] = fork();
        if (workers[i] < 0)
            cli_fail("no process can be started: %s", strerror(errno));
        if (workers[i] == 0)
            work(sweep, chunks, board, &board->tallies[i], parent, run);
    }
}

/* Marks the loaded codecs as heard: only the workers ask them, and do not share that with this process. */
static void note_loaded_answered(const struct sweep *sweep)
{
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        if (row->codec != NULL && strcmp(row->encoding, sweep->comparer.encoding) == 0 &&
            (comparer_asks(&sweep->comparer, row->codec, OP_VALIDATE) ||
             comparer_asks(&sweep->comparer, row->codec, OP_DECODE_UTF16)))
            cli_note_answered(row->codec);
    }
}

void sweep_in_chunks(struct sweep *sweep, void (*run)(struct sweep *sweep, size_t chunk, struct digests *digests))
{
    static struct chunks chunks;
    static pid_t workers[JOBS_MAX];
    struct board *board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (board == MAP_FAILED)
        cli_fail("out of memory");
    chunks = (struct chunks){.part = sweep->part, .encoding = sweep->comparer.encoding};
    chunks_choose(&chunks, chunk_options.shard, chunk_options.shard_count);
    if (chunk_options.checkpoint != NULL) {
        chunks.program = program_sum();
        chunks_read(&chunks, chunk_options.checkpoint);
        chunks_write(&chunks, chunk_options.checkpoint); /* if that is not possible, nothing is lost yet */
        signal(SIGINT, on_interrupt);
        signal(SIGTERM, on_interrupt);
    }
    size_t known = chunks_done(&chunks);
    board->next = chunks.from;
    start_workers(sweep, &chunks, board, workers, run);
    supervise(sweep, &chunks, board, workers, chunk_options.jobs);
    for (size_t i = 0; i < chunk_options.jobs; i++)
        add_tally(sweep, &board->tallies[i]);
    munmap(board, sizeof *board);
    note_loaded_answered(sweep);
    sweep->known = known;
    if (sweep->stride > 1 || chunks_done(&chunks) < chunks.to - chunks.from)
        return;
    sweep->digests = chunks_as_json(&chunks);
    const char *complaint = chunks_unlike_published(&chunks);
    if (complaint != NULL) {
        fprintf(stderr, "%s %s: %s\n", sweep->comparer.encoding, sweep->part, complaint);
        sweep->comparer.diverged++;
    }
}
