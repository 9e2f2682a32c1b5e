// Folders of files that this program writes, and writes anew: what is not its own there is never lost.
//
// A list in the folder (`.partita-export`) remembers each file that was written, with a hash of its content. So a file
// that a person changed, or put there, is told from one that may be replaced.
#pragma once

#include <span>
#include <string>

#include "engine/support/file.h"

namespace partita {

struct OwnFolder {
    std::string path;
    /// "": the files make up the folder, which is new, empty, or was written so before. Else they lie among others, and
    /// those whose names begin so are the program's.
    std::string prefix = {};
    bool force = false;  ///< replace also what is not known to be the program's own
};

/// Refuses a folder where files that are not the program's own would be mixed with its files, or whose parent is not
/// there. For a check before the work; `write_own_folder` checks again. Reads the files that were written earlier.
Status check_own_folder(const OwnFolder& folder);

/// Makes the folder if it is not there, writes the files, and removes those of an earlier time that are not among them:
/// all or nothing. Files that it does not know stay; one in the way is refused.
Status write_own_folder(const OwnFolder& folder, std::span<const NewFile> files);

/// Writes a file, the last of `files`, and others beside it that it names, all or nothing. One that is there already is
/// replaced only if the file that is replaced names it, too, or if `force`.
Status write_with_files_beside(const std::string& path, std::span<const NewFile> files, bool force);

}  // namespace partita
