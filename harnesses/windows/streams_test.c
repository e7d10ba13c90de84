/* SPDX-License-Identifier: MIT
 *
 * Streams into memory open in several processes at once: this program starts itself, and each process opens and reads
 * back STREAMS.
 */
#include <process.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES = 4, STREAMS = 500 };

static bool stream_gives_its_text(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return false;
    fputs("text", out);
    bool is_right = fclose(out) == 0 && size == 4 && strcmp(text, "text") == 0;
    free(text);
    return is_right;
}

int main(int count, char **words)
{
    intptr_t others[PROCESSES - 1];
    int wrong = 0;
    for (int i = 0; count == 1 && i < PROCESSES - 1; i++)
        others[i] = _spawnl(_P_NOWAIT, words[0], "streams_test", "other", NULL);
    for (int i = 0; i < STREAMS; i++)
        wrong += !stream_gives_its_text();
    for (int i = 0; count == 1 && i < PROCESSES - 1; i++) {
        int status = 1;
        wrong += others[i] == -1 || _cwait(&status, others[i], 0) == -1 || status != 0;
    }
    printf("%s: %d wrong\n", count == 1 ? "the first process" : "another process", wrong);
    return wrong != 0;
}
