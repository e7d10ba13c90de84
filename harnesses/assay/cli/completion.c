/* SPDX-License-Identifier: MIT
 *
 * Completion for bash, zsh and fish, from the rows of the commands.
 */
#include "internal.h"

#include <string.h>

/* What completes the value of an option or an operand: a list of words, the names of files, or nothing. */
enum value { VALUE_NOTHING, VALUE_FILE, VALUE_ENCODING, VALUE_POLICY, VALUE_CODEC, VALUE_WHEN };

/* The kind of a value, from its name in the help; "NAME,..." is completed like NAME. */
static enum value value_of(const char *argument)
{
    static const struct {
        const char *name;
        enum value value;
    } values[] = {
        {"FILE", VALUE_FILE},         {"DIR", VALUE_FILE},      {"LIBRARY", VALUE_FILE}, {"LIB", VALUE_FILE},
        {"OLD.json", VALUE_FILE},     {"TEXT", VALUE_FILE},     {"INPUT", VALUE_FILE},   {"COMMAND", VALUE_FILE},
        {"ENCODING", VALUE_ENCODING}, {"POLICY", VALUE_POLICY}, {"CODEC", VALUE_CODEC},  {"WHEN", VALUE_WHEN},
    };
    size_t length = strcspn(argument, ",");
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (strlen(values[i].name) == length && memcmp(values[i].name, argument, length) == 0)
            return values[i].value;
    return VALUE_NOTHING;
}

/* Prints the names of codecs, each once even if codecs of several encodings have it. */
static void print_codec_names(FILE *out)
{
    for (size_t i = 0; i < registry_count(); i++) {
        bool is_new = true;
        for (size_t j = 0; j < i; j++)
            is_new &= strcmp(registry_at(i)->name, registry_at(j)->name) != 0;
        if (is_new)
            fprintf(out, " %s", registry_at(i)->name);
    }
}

/* Prints the words that an option takes besides those of its kind: those in backquotes in its sentence, as in "`all`:
 * each of the family". */
static void print_words_of_sentence(FILE *out, const char *sentence)
{
    for (const char *begin = strchr(sentence, '`'); begin != NULL; begin = strchr(begin, '`')) {
        size_t length = strcspn(++begin, "`");
        if (strspn(begin, "abcdefghijklmnopqrstuvwxyz-") == length)
            fprintf(out, " %.*s", (int)length, begin);
        begin += length + (begin[length] == '`');
    }
}

/* Prints each word after a space. */
static void print_words(FILE *out, const struct cli_option *option)
{
    enum value value = value_of(option->argument);
    if (value == VALUE_ENCODING)
        for (size_t i = 0; i < registry_count(); i++)
            if (registry_is_reference(registry_at(i)))
                fprintf(out, " %s", registry_at(i)->encoding);
    if (value == VALUE_POLICY)
        for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
            fprintf(out, " %s", assay_policy_name(policy));
    if (value == VALUE_WHEN)
        fputs(" auto always never", out);
    if (value == VALUE_CODEC)
        print_codec_names(out);
    print_words_of_sentence(out, option->sentence);
}

struct every {
    const struct command *const *commands;
    size_t count;
};

/* Calls `print` for each option of a command, including those that every command has. */
static void for_each_option(FILE *out, const struct command *command,
                            void (*print)(FILE *out, const struct command *command, const struct cli_option *option))
{
    for (const struct cli_option *option = command->options; option->name != NULL; option++)
        print(out, command, option);
    for (const struct cli_option *option = cli_common_options; option->name != NULL; option++)
        print(out, command, option);
}

/* ---- bash ------------------------------------------------------------------------------------------------------ */

static void print_bash_name(FILE *out, const struct command *command, const struct cli_option *option)
{
    (void)command;
    fprintf(out, " --%s", option->name);
}

static void print_bash_value(FILE *out, const struct command *command, const struct cli_option *option)
{
    if (option->argument == NULL)
        return;
    fprintf(out, "    '%s --%s'", command->name, option->name);
    if (option->letter != 0)
        fprintf(out, "|'%s -%c'", command->name, option->letter);
    if (value_of(option->argument) == VALUE_FILE) {
        fputs(") compopt -o default; COMPREPLY=(); return ;;\n", out);
        return;
    }
    fputs(") words=\"", out);
    print_words(out, option);
    fputs("\" ;;\n", out);
}

static void print_bash(FILE *out, struct every every)
{
    fputs("# bash completion of assay; made by `assay --completion bash`.\n"
          "# @FILE is two words where COMP_WORDBREAKS has @, but what completes it begins with @.\n"
          "_assay_at_file() {\n"
          "  local path\n"
          "  compopt -o nospace\n"
          "  while IFS= read -r path; do\n"
          "    COMPREPLY+=(\"@$(printf %q \"$path\")$([ -d \"$path\" ] && echo / || echo ' ')\")\n"
          "  done < <(compgen -f -- \"${1#@}\")\n"
          "}\n"
          "_assay() {\n"
          "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words=\n"
          "  COMPREPLY=()\n"
          "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "    COMPREPLY=($(compgen -W '",
          out);
    for (size_t i = 0; i < every.count; i++)
        fprintf(out, "%s ", every.commands[i]->name);
    fputs("--help --version --manual --completion' -- \"$word\"))\n"
          "    return\n"
          "  fi\n"
          "  if [[ $word == @* || $before == @ ]]; then _assay_at_file \"$word\"; return; fi\n"
          "  [ \"$word\" != = ] || word=\n"
          "  [ \"$before\" != = ] || before=${COMP_WORDS[COMP_CWORD-2]}\n"
          "  case \"$command $before\" in\n",
          out);
    for (size_t i = 0; i < every.count; i++)
        for_each_option(out, every.commands[i], print_bash_value);
    fputs("    *) if [[ $word != -* ]]; then compopt -o default; return; fi\n"
          "       case \"$command\" in\n",
          out);
    for (size_t i = 0; i < every.count; i++) {
        fprintf(out, "         %s) words=\"", every.commands[i]->name);
        for_each_option(out, every.commands[i], print_bash_name);
        fputs("\" ;;\n", out);
    }
    fputs("       esac ;;\n"
          "  esac\n"
          "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "}\n"
          "complete -F _assay assay\n",
          out);
}

/* ---- zsh ------------------------------------------------------------------------------------------------------- */

/* Prints text for a place between single quotes. Quotes, backslashes, colons and brackets, which have a meaning in
 * zsh's _arguments, are escaped. */
static void print_zsh_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputs("'\\'", out);
        else if (strchr(":[]\\", *text) != NULL)
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void print_zsh_option(FILE *out, const struct command *command, const struct cli_option *option)
{
    (void)command;
    char names[2][64] = {"", ""};
    snprintf(names[0], sizeof names[0], "--%s%s", option->name, option->argument != NULL ? "=" : "");
    if (option->letter != 0)
        snprintf(names[1], sizeof names[1], "-%c", option->letter);
    for (size_t i = 0; i < 2 && names[i][0] != '\0'; i++) {
        fprintf(out, " \\\n        '*%s[", names[i]);
        print_zsh_text(out, option->sentence);
        fputc(']', out);
        if (option->argument != NULL) {
            enum value value = value_of(option->argument);
            fputc(':', out);
            print_zsh_text(out, option->argument);
            fputs(value == VALUE_FILE ? ":_assay_files" : ":(", out);
            if (value != VALUE_FILE) {
                print_words(out, option);
                fputc(')', out);
            }
        }
        fputc('\'', out);
    }
}

static void print_zsh(FILE *out, struct every every)
{
    fputs("#compdef assay\n"
          "# zsh completion of assay; made by `assay --completion zsh`.\n"
          "_assay_files() { compset -P @; _files }\n"
          "_assay() {\n"
          "  local -a commands=(\n",
          out);
    for (size_t i = 0; i < every.count; i++) {
        fprintf(out, "    '%s:", every.commands[i]->name);
        print_zsh_text(out, every.commands[i]->sentence);
        fputs("'\n", out);
    }
    fputs("  )\n"
          "  if (( CURRENT == 2 )); then\n"
          "    _describe command commands\n"
          "    return\n"
          "  fi\n"
          "  shift words; (( CURRENT-- ))\n"
          "  case $words[1] in\n",
          out);
    for (size_t i = 0; i < every.count; i++) {
        fprintf(out, "    %s) _arguments", every.commands[i]->name);
        for_each_option(out, every.commands[i], print_zsh_option);
        fputs(" \\\n        '*:operand:_assay_files' ;;\n", out);
    }
    fputs("  esac\n"
          "}\n"
          "if [ \"$funcstack[1]\" = _assay ]; then _assay \"$@\"; else compdef _assay assay; fi\n",
          out);
}

/* ---- fish ------------------------------------------------------------------------------------------------------ */

static void print_fish_text(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text != '\0'; text++) {
        if (*text == '\'' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

static void print_fish_option(FILE *out, const struct command *command, const struct cli_option *option)
{
    fprintf(out, "complete -c assay -n '__fish_seen_subcommand_from %s' -l %s", command->name, option->name);
    if (option->letter != 0)
        fprintf(out, " -s %c", option->letter);
    if (option->argument != NULL && value_of(option->argument) == VALUE_FILE)
        fputs(" -rF", out);
    else if (option->argument != NULL) {
        fputs(" -xa '", out);
        print_words(out, option);
        fputc('\'', out);
    }
    fputs(" -d ", out);
    print_fish_text(out, option->sentence);
    fputc('\n', out);
}

static void print_fish(FILE *out, struct every every)
{
    fputs(
        "# fish completion of assay; made by `assay --completion fish`.\n"
        "function __assay_at_file\n"
        "    set -l word (commandline -ct)\n"
        "    string match -q '@*' -- $word; and __fish_complete_path (string sub -s 2 -- $word) | string replace -r '^' @\n"
        "end\n"
        "complete -c assay -n 'not __fish_use_subcommand' -a '(__assay_at_file)'\n",
        out);
    for (size_t i = 0; i < every.count; i++) {
        fprintf(out, "complete -c assay -f -n __fish_use_subcommand -a %s -d ", every.commands[i]->name);
        print_fish_text(out, every.commands[i]->sentence);
        fputc('\n', out);
        for_each_option(out, every.commands[i], print_fish_option);
    }
}

void cli_print_completion(FILE *out, const char *shell, const struct command *const *commands, size_t count)
{
    static const struct {
        const char *name;
        void (*print)(FILE *out, struct every every);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(shell, shells[i].name) == 0) {
            shells[i].print(out, (struct every){commands, count});
            return;
        }
    cli_fail("--completion: there is none for '%s'; bash, zsh and fish have one", shell);
}
