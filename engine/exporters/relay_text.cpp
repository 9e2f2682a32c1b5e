#include "engine/exporters/exporter.h"
#include "engine/frontends/relay/printer.h"

namespace partita {

Result<std::string> write_relay_text(const ExportSubject& subject) {
    if (Status fits = check_text_of_weights(*subject.module); !fits) return fits.error();
    std::string text = print_relay(*subject.module);
    if (text.empty() || text.back() != '\n') text += '\n';
    return text;
}

}  // namespace partita
