# Completion of partita-cli's commands and options for bash: taken from --help, so that it is never out of date.
_partita_cli() {
    local word=${COMP_WORDS[COMP_CWORD]} command=()
    [ "$COMP_CWORD" -gt 1 ] && command=("${COMP_WORDS[1]}")
    local help
    help=$(partita-cli "${command[@]}" --help 2>/dev/null)
    local before=${COMP_WORDS[COMP_CWORD-1]} values=
    [ "$before" = = ] && before=${COMP_WORDS[COMP_CWORD-2]}
    [ "$word" = = ] && word=
    case $before in
        --backends*) values="ccompiler ccompiler_wide conv1x1_engine dnnl dnnl_all int8_accelerator" ;;
        --form | --format)
            values=$(sed -n '/--form/,/^  -/s/^ *\([a-z][a-z-]*\): .*/\1/p' <<<"$help") ;;
        --until) values="simplify composite annotate merge partition" ;;
        --style) values="global inline" ;;
        --paper) values="a4 letter" ;;
        --group) values="auto none" ;;
        --by) values="regions boundary calls work" ;;
        --pareto) values="regions weights" ;;
        --language) values="en de zh" ;;
        --partitioner) values=$(partita-cli partitioners 2>/dev/null | sed -n 's/^\([a-z][a-z-]*\)$/\1/p') ;;
        --option) values=$(partita-cli partitioners 2>/dev/null | sed -n 's/^ *--option \([a-z0-9-]*=\).*/\1/p') ;;
    esac
    if [ "${COMP_WORDS[1]}" = lessons ] && [ "$COMP_CWORD" -ge 3 ]; then
        values=$(partita-cli lessons list 2>/dev/null | sed '1d;s/ .*//')
    elif [[ ${COMP_WORDS[1]} =~ ^(rules|lessons)$ ]] && [ "$COMP_CWORD" -eq 2 ]; then
        values=$(sed -n '/^Subcommands:/,$s/^  \([a-z-]*\).*/\1/p' <<<"$help")
    fi
    if [ -n "$values" ] && [[ $word != -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word"; compgen -f -- "$word")
    elif [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$(grep -oE -- '--?[a-z][a-z-]*' <<<"$help" | sort -u)" -- "$word"))
    elif [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "$(sed -n '/^Subcommands:/,$s/^  \([a-z-]*\).*/\1/p' <<<"$help")" -- "$word"))
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")  # names with spaces stay whole
    fi
}
complete -o filenames -F _partita_cli partita-cli
