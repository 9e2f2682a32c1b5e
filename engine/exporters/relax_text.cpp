#include "engine/exporters/exporter.h"
#include "engine/frontends/relax/printer.h"

namespace partita {

Result<std::string> write_relax_text(const ExportSubject& subject) {
    if (!subject.relax)
        return error("only a Relax file is written as Relax text, as it is or divided by --partitioner relax");
    return relax::print(*subject.relax);
}

}  // namespace partita
