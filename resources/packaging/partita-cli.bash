# Completion of partita-cli's commands and options for bash: taken from --help, so that it is never out of date.
_partita_cli() {
    local word=${COMP_WORDS[COMP_CWORD]} command=()
    [ "$COMP_CWORD" -gt 1 ] && command=("${COMP_WORDS[1]}")
    local help
    help=$(partita-cli "${command[@]}" --help 2>/dev/null)
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$(grep -oE -- '--?[a-z][a-z-]*' <<<"$help" | sort -u)" -- "$word"))
    elif [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "$(sed -n '/^Subcommands:/,$s/^  \([a-z-]*\).*/\1/p' <<<"$help")" -- "$word"))
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")  # names with spaces stay whole
    fi
}
complete -o filenames -F _partita_cli partita-cli
