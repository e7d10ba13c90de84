/* SPDX-License-Identifier: MIT
 *
 * Reads the golden vectors: the list of files, the head of each file, and its cases one by one. The content of a case
 * is read by the functions for each kind (decode.c, encode.c, strings.c).
 */
#include "long_texts.h"
#include "positions.h"
#include "reader.h"

#include "../../core/convert.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define UNPOISON(begin, size) __msan_unpoison(begin, size)
#endif
#endif

/* ---- files ------------------------------------------------------------------------------------- */

#define CASE_FIELDS "id comment flags "
#define DECODE_FIELDS CASE_FIELDS "bytes well_formed spans outputs utf16"
#define ENCODE_FIELDS CASE_FIELDS "units encodable errors outputs limits"

static const struct kind {
    const char *name, *fields;
    void (*read)(struct reader *reader, const struct node *test);
} kinds[] = {
    {"decode", DECODE_FIELDS, read_decode},
    {"limited", DECODE_FIELDS " utf32_limits utf16_limits", read_limited},
    {"stream", CASE_FIELDS STREAM_FIELDS, read_stream},
    {"reuse", CASE_FIELDS "streams", read_reuse},
    {"encode", ENCODE_FIELDS, read_encode},
    {"encode-utf16", ENCODE_FIELDS, read_encode_utf16},
    {"boundaries", CASE_FIELDS "input boundaries", read_boundaries},
    {"concat", CASE_FIELDS "left right joined error", read_concat},
    {"convert", CASE_FIELDS "to input error outputs", read_convert},
};

static const struct kind *kind_of(const struct node *node)
{
    const char *name = node_text(node);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    node_refuse(node, "there is no kind '%.40s'", name);
}

static const char *codec_encoding_of(const struct node *node, struct reader *reader)
{
    const char *encoding = node_text(node);
    struct form form = {0};
    form_find(encoding, "reference", &form);
    reader->signature = form.signature;
    reader->reference = form.codec;
    if (reader->reference == NULL)
        node_refuse(node, "no codec is there for an encoding '%.40s'", encoding);
    return reader->reference->encoding;
}

/* Reads which policies each test has. The first two must be those that every encoding has, because the format builds on
 * them. */
static void read_policies(struct reader *reader, const struct node *array)
{
    size_t count = node_count(array);
    for (size_t i = 0; i < count; i++) {
        struct node one = node_item(array, i);
        enum assay_policy policy = assay_policy_parse(node_text(&one));
        if (policy == ASSAY_POLICY_COUNT)
            node_refuse(&one, "there is no policy '%.40s'", node_text(&one));
        if (reader->has_policy[policy])
            node_refuse(&one, "stands here twice");
        reader->has_policy[policy] = true;
        strcat(strcat(reader->policies, " "), assay_policy_name(policy));
    }
    if (!reader->has_policy[ASSAY_POLICY_STRICT] || !reader->has_policy[ASSAY_POLICY_WHATWG])
        node_refuse(array, "must have strict and whatwg");
}

static void require_notes(const struct node *file)
{
    struct node notes = node_field(file, "notes");
    const char *flag;
    json_t *value;
    if (!json_is_object(notes.json))
        node_refuse(&notes, "is not an object");
    json_object_foreach ((json_t *)notes.json, flag, value) {
        struct node note = node_field(&notes, flag);
        node_require_fields(&note, "kind effect links", "field");
        struct node links = node_field(&note, "links");
        node_count(&links);
    }
}

static void require_flags(const struct node *file, const struct node *test)
{
    struct node flags = node_field(test, "flags"), notes = node_field(file, "notes");
    size_t count = node_count(&flags);
    for (size_t i = 0; i < count; i++) {
        struct node flag = node_item(&flags, i);
        const char *name = node_text(&flag);
        if (json_object_get(notes.json, name) == NULL)
            node_refuse(&flag, "no note says what '%.40s' means", name);
    }
}

enum { LONGEST_ID = 200 };

/* Checks that an id begins with the name of the category, and that no earlier case has it. */
static void require_id(const struct node *id, const char *category, json_t *seen)
{
    const char *text = node_text(id);
    size_t length = strlen(category);
    if (strncmp(text, category, length) != 0 || text[length] != '/' || text[length + 1] == '\0')
        node_refuse(id, "'%.80s' does not begin with %s/", text, category);
    if (text[strlen(text) - 1] == '/')
        node_refuse(id, "'%.80s' ends in /, and names no case", text);
    if (strlen(text) > LONGEST_ID)
        node_refuse(id, "has %zu characters; %d are enough", strlen(text), LONGEST_ID);
    if (json_object_get(seen, text) != NULL)
        node_refuse(id, "there is another case '%s' before this one", text);
    json_object_set_new(seen, text, json_true());
}

static void read_cases(struct reader *reader, const struct node *file, const struct kind *kind,
                       struct category *category)
{
    struct node tests = node_field(file, "tests"), declared = node_field(file, "count");
    category->case_count = node_count(&tests);
    if (node_size(&declared, SIZE_MAX) != category->case_count || category->case_count == 0)
        node_refuse(&declared, "says %zu, and there are %zu tests", node_size(&declared, SIZE_MAX),
                    category->case_count);
    struct vector_case *cases = pool_alloc(reader->pool, category->case_count, sizeof *cases);
    json_t *seen = json_object();
    for (size_t i = 0; i < category->case_count; i++) {
        struct node test = node_item(&tests, i);
        node_require_fields(&test, kind->fields, "field");
        struct node id = node_field(&test, "id"), comment = node_field(&test, "comment");
        require_id(&id, category->name, seen);
        test.id = cases[i].id = pool_keep(reader->pool, node_text(&id));
        cases[i].comment = pool_keep(reader->pool, node_text(&comment));
        require_flags(file, &test);
        reader->probe_count = reader->conversion_count = reader->stream_count = 0;
        kind->read(reader, &test);
        struct probe *probes = pool_alloc(reader->pool, reader->probe_count, sizeof *probes);
        if (reader->probe_count > 0) /* a conversion has no probes */
            memcpy(probes, reader->probes, reader->probe_count * sizeof *probes);
        cases[i].probes = probes;
        cases[i].probe_count = reader->probe_count;
        cases[i].conversions = reader->conversions;
        cases[i].conversion_count = reader->conversion_count;
        cases[i].stream_count = reader->stream_count;
    }
    json_decref(seen);
    category->cases = cases;
}

/* Overwrites the stack below. jansson is not instrumented, so MemorySanitizer would report what it wrote to its stack
 * as uninitialised where a function of ours was before. */
static __attribute__((noinline)) void overwrite_stack(void)
{
#ifdef UNPOISON
    char below[1 << 16];
    UNPOISON(below, sizeof below);
#endif
}

static json_t *load_json(const char *path)
{
    overwrite_stack();
    return cli_load_json(path);
}

struct version {
    unsigned major, minor;
};

/* Parses MAJOR.MINOR.PATCH; false if the text is something else. */
static bool parse_version(const char *text, struct version *version)
{
    unsigned patch;
    int length = 0;
    return sscanf(text, "%6u.%6u.%6u%n", &version->major, &version->minor, &patch, &length) == 3 &&
           text[length] == '\0';
}

/* Refuses vectors of another major version, whose fields may mean something else. Warns once about a newer minor
 * version, which may have kinds of cases that this program does not know. */
static void require_version(const struct node *node)
{
    static bool has_warned;
    struct version own = {0}, theirs;
    const char *text = node_text(node);
    if (!parse_version(ASSAY_VECTORS_VERSION, &own) || !parse_version(text, &theirs))
        node_refuse(node, "'%.40s' is not MAJOR.MINOR.PATCH", text);
    if (theirs.major != own.major)
        node_refuse(node, "%.40s is another major version; this program reads vectors " ASSAY_VECTORS_VERSION, text);
    if (theirs.minor > own.minor && !has_warned) {
        has_warned = true;
        cli_clear_progress();
        fprintf(stderr,
                "assay: warning: the vectors are version %s, and this program was made for " ASSAY_VECTORS_VERSION "\n",
                text);
    }
}

static struct category read_file(struct vectors *vectors, const char *path, const char *name)
{
    struct pool **pool = &vectors->pool;
    json_t *json = load_json(path);
    struct node file = {.json = json, .key = path};
    struct reader reader = {.pool = pool};
    node_require_fields(&file, "suite version unicode license encoding category kind policies about count notes tests",
                        "field");
    struct node suite = node_field(&file, "suite"), encoding = node_field(&file, "encoding");
    struct node category_name = node_field(&file, "category"), kind = node_field(&file, "kind");
    struct node policies = node_field(&file, "policies");
    static const char *const texts[] = {"version", "unicode", "license", "about"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct node text = node_field(&file, texts[i]);
        node_text(&text);
    }
    if (strcmp(node_text(&suite), "utf8-assay") != 0)
        node_refuse(&suite, "'%.40s' is not the suite utf8-assay", node_text(&suite));
    struct node version = node_field(&file, "version");
    require_version(&version);
    if (vectors->version == NULL)
        vectors->version = pool_keep(pool, node_text(&version));
    struct category category = {.name = name, .codec_encoding = codec_encoding_of(&encoding, &reader)};
    size_t length = strlen(node_text(&encoding));
    if (strncmp(name, node_text(&encoding), length) != 0 || name[length] != '/' ||
        strcmp(name + length + 1, node_text(&category_name)) != 0)
        node_refuse(&category_name, "says %s/%s, which is not where the file lies", node_text(&encoding),
                    node_text(&category_name));
    require_notes(&file);
    read_policies(&reader, &policies);
    read_cases(&reader, &file, kind_of(&kind), &category);
    free(reader.probes);
    json_decref(json);
    return category;
}

/* ---- folders ----------------------------------------------------------------------------------- */

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int is_category(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return is_shown(entry) && length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

static char *join_path(struct pool **pool, const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = pool_alloc(pool, size, 1);
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static void free_entries(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

/* True if a glob may match an id in this category: both begin alike, as far as the glob has no wildcard. */
static bool may_match(const char *glob, const char *category)
{
    size_t literal = strcspn(glob, "*?[\\"), length = strlen(category);
    return strncmp(glob, category, literal < length ? literal : length) == 0;
}

static bool is_wanted(const struct choice *choice, const char *category)
{
    for (int i = 0; i < choice->glob_count; i++)
        if (may_match(choice->globs[i], category))
            return true;
    return choice->glob_count == 0;
}

static void read_encoding(struct vectors *vectors, struct category **categories, const char *folder,
                          const char *encoding, const struct choice *choice)
{
    struct dirent **files;
    const char *path = join_path(&vectors->pool, folder, encoding);
    int count = cli_list_data(path, &files, is_category);
    if (count < 0 && errno == ENOTDIR)
        return;
    if (count < 0)
        cli_fail("%s: %s", path, strerror(errno));
    const char *long_texts = join_path(&vectors->pool, encoding, "long-texts");
    bool makes_long_texts = choice->with_long_texts && is_wanted(choice, long_texts);
    size_t before = vectors->category_count;
    *categories = realloc(*categories, (before + (size_t)count + 1) * sizeof **categories);
    if (*categories == NULL)
        cli_fail("out of memory");
    for (int i = 0; i < count; i++) {
        char *name = join_path(&vectors->pool, encoding, files[i]->d_name);
        name[strlen(name) - strlen(".json")] = '\0';
        if (makes_long_texts || is_wanted(choice, name))
            (*categories)[vectors->category_count++] =
                read_file(vectors, join_path(&vectors->pool, path, files[i]->d_name), name);
    }
    free_entries(files, count);
    struct category *made = *categories + vectors->category_count;
    if (makes_long_texts) {
        *made = long_texts_make(&vectors->pool, long_texts, *categories + before, vectors->category_count - before);
        vectors->category_count += made->case_count > 0;
    }
}

/* Reads the positions tier: the folder `complete` has two tables for each encoding. */
static void read_complete(struct vectors *vectors, struct category **categories, const char *folder,
                          const struct choice *choice)
{
    static const char suffix[] = "-positions.tsv";
    struct dirent **files;
    const char *path = join_path(&vectors->pool, folder, "complete");
    int count = cli_list_data(path, &files, is_shown);
    for (int i = 0; i < count; i++) {
        size_t length = strlen(files[i]->d_name) - strlen(suffix);
        if (strlen(files[i]->d_name) <= strlen(suffix) || strcmp(files[i]->d_name + length, suffix) != 0)
            continue;
        char *encoding = pool_keep(&vectors->pool, files[i]->d_name);
        encoding[length] = '\0';
        char *name = join_path(&vectors->pool, encoding, "positions");
        struct form form;
        if (!is_wanted(choice, name))
            continue;
        if (!form_find(encoding, "reference", &form))
            cli_fail("%s/%s: no codec is there for an encoding '%s'", path, files[i]->d_name, encoding);
        *categories = realloc(*categories, (vectors->category_count + 1) * sizeof **categories);
        if (*categories == NULL)
            cli_fail("out of memory");
        (*categories)[vectors->category_count++] = positions_read(&vectors->pool, path, name, form.codec->encoding);
    }
    if (count >= 0)
        free_entries(files, count);
}

const char *vectors_folder(void)
{
    const char *folder = cli_data("vectors");
    if (folder == NULL)
        cli_fail("no vectors next to this program, nor in %s; --vectors DIR says where they are",
                 ASSAY_DATA_DIR "/vectors");
    return folder;
}

struct vectors vectors_load(const char *folder, const struct choice *choice)
{
    struct vectors vectors = {0};
    struct category *categories = NULL;
    struct dirent **encodings;
    int count = cli_list_data(folder, &encodings, is_shown);
    if (count < 0)
        cli_fail("%s: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++)
        read_encoding(&vectors, &categories, folder, encodings[i]->d_name, choice);
    free_entries(encodings, count);
    if (!choice->without_positions)
        read_complete(&vectors, &categories, folder, choice);
    if (vectors.category_count == 0 && choice->glob_count == 0)
        cli_fail("%s holds no vectors: there is no ENCODING/CATEGORY.json in it", folder);
    size_t size = vectors.category_count * sizeof *categories;
    if (size > 0)
        vectors.categories = memcpy(pool_alloc(&vectors.pool, 1, size), categories, size);
    free(categories);
    return vectors;
}

size_t category_encoding_length(const struct category *category)
{
    return strcspn(category->name, "/");
}

void vectors_free(struct vectors *vectors)
{
    pool_free(&vectors->pool);
}
