/* SPDX-License-Identifier: MIT
 *
 * SQLite as a subject: a text bound as UTF-8 (or UTF-16) and asked for as UTF-16 (or UTF-8); char().
 */
#include "protocol.h"

#include <sqlite3.h>

static bool is_utf16;
static sqlite3 *database;
static sqlite3_stmt *statement;

static bool begin(const char *operation, const char *encoding, const char *policy)
{
    return begin_own(encoding, strncmp(operation, "encode", 6) == 0 && is_word(policy, "strict") ? "own" : policy,
                     &is_utf16);
}

static enum verdict feed(const unsigned char *bytes, size_t count, bool is_last)
{
    (void)is_last;
    sqlite3_reset(statement);
    if (is_utf16)
        sqlite3_bind_text16(statement, 1, bytes, (int)count, SQLITE_TRANSIENT);
    else
        sqlite3_bind_text(statement, 1, (const char *)bytes, (int)count, SQLITE_TRANSIENT);
    sqlite3_step(statement);
    if (is_utf16) {
        const unsigned char *text = sqlite3_column_text(statement, 0);
        emit_utf8(text, (size_t)sqlite3_column_bytes(statement, 0));
    } else {
        const uint16_t *text = sqlite3_column_text16(statement, 0);
        emit_utf16(text, (size_t)sqlite3_column_bytes16(statement, 0) / 2);
    }
    return WELL_FORMED;
}

static enum verdict encode(const uint32_t *points, size_t count)
{
    static sqlite3_stmt *character;
    if (is_utf16 ||
        (character == NULL && sqlite3_prepare_v2(database, "SELECT char(?1)", -1, &character, NULL) != SQLITE_OK))
        return NOT_OFFERED;
    for (size_t i = 0; i < count; i++) {
        sqlite3_reset(character);
        sqlite3_bind_int64(character, 1, points[i]);
        sqlite3_step(character);
        const unsigned char *text = sqlite3_column_text(character, 0);
        emit_bytes(text, (size_t)sqlite3_column_bytes(character, 0));
    }
    return WELL_FORMED;
}

static enum verdict encode_utf16(const uint16_t *units, size_t count)
{
    if (is_utf16)
        return NOT_OFFERED;
    sqlite3_reset(statement);
    sqlite3_bind_text16(statement, 1, units, (int)(2 * count), SQLITE_TRANSIENT);
    sqlite3_step(statement);
    const unsigned char *text = sqlite3_column_text(statement, 0);
    emit_bytes(text, (size_t)sqlite3_column_bytes(statement, 0));
    return WELL_FORMED;
}

int main(void)
{
    if (sqlite3_open(":memory:", &database) != SQLITE_OK ||
        sqlite3_prepare_v2(database, "SELECT ?1", -1, &statement, NULL) != SQLITE_OK)
        return 2;
    return speak("sqlite", "encodings=utf-8,utf-16le policies=own,strict ops=decode,encode,encode-utf16 chunks=no",
                 &(struct adapter){begin, feed, NULL, encode, encode_utf16});
}
