# Installing, and the Debian package: `cpack --config build/release/CPackConfig.cmake -B build/release`.
include(GNUInstallDirs)
if(TARGET partita)
  install(TARGETS partita RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(TARGETS partita-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# Backends that users bring: the process in which they run, the interface, and what it is given.
set_target_properties(partita-plugin-host PROPERTIES INSTALL_RPATH "")
install(TARGETS partita-plugin-host RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/partita)
install(FILES engine/backends/plugin/partita_plugin.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY samples/plugin samples/annotator DESTINATION ${CMAKE_INSTALL_DOCDIR}/samples)
file(GLOB SCHEMAS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/resources/*.schema.json)
install(FILES ${SCHEMAS} DESTINATION ${CMAKE_INSTALL_DATADIR}/partita)
install(DIRECTORY resources/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/partita)
install(FILES resources/packaging/partita.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES resources/packaging/partita.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES resources/packaging/partita-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME partita.xml)
# Completion for shells, written by the program, where Debian's look for it.
foreach(place "bash=bash-completion/completions/partita-cli" "zsh=zsh/vendor-completions/_partita-cli"
        "fish=fish/vendor_completions.d/partita-cli.fish")
  string(REPLACE "=" ";" place "${place}")
  list(GET place 0 shell)
  list(GET place 1 file)
  install(CODE "set(file \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/${file}\")
    cmake_path(GET file PARENT_PATH folder)
    file(MAKE_DIRECTORY \"\${folder}\")
    execute_process(COMMAND \"$<TARGET_FILE:partita-cli>\" --completion ${shell} OUTPUT_FILE \"\${file}\" COMMAND_ERROR_IS_FATAL ANY)")
endforeach()
install(FILES resources/man/partita-cli.1 resources/man/partita.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES resources/packaging/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME partita)
# Nobody can be written to: RFC 2606 keeps this domain free for ever.
set(PARTITA_CONTACT "The Partita project <partita@partita.invalid>")
configure_file(resources/packaging/changelog.in changelog @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/changelog DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Debian's policy wants manual pages and the changelog compressed, without a time in them.
install(CODE "execute_process(COMMAND gzip --force --best --no-name
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/changelog\"
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1/partita-cli.1\"
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1/partita.1\")")
install(FILES resources/packaging/copyright resources/help/changes.md resources/help/licences.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(GLOB SAMPLE_MODULES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/samples/*.relay)
install(FILES ${SAMPLE_MODULES} samples/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/samples)

# The package for Python where Debian's Python looks for modules: in a Debian package of its own.
if(TARGET partita_python)
  install(TARGETS partita_python LIBRARY DESTINATION lib/python3/dist-packages/partita COMPONENT python)
  install(DIRECTORY ${PARTITA_PYTHON_FOLDER}/partita DESTINATION lib/python3/dist-packages COMPONENT python
    FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
  # Its process for plug-ins lies beside it: the package is used without the programs, too.
  install(TARGETS partita-plugin-host RUNTIME DESTINATION lib/python3/dist-packages/partita COMPONENT python)
  install(FILES resources/packaging/copyright ${PROJECT_BINARY_DIR}/changelog resources/help/python.md
    DESTINATION share/doc/python3-partita COMPONENT python)
  install(CODE "execute_process(COMMAND gzip --force --best --no-name
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/doc/python3-partita/changelog\")" COMPONENT python)
  install(FILES resources/packaging/lintian-overrides-python DESTINATION share/lintian/overrides
    RENAME python3-partita COMPONENT python)
  install(FILES samples/from-python.ipynb samples/residual-block.relay
    DESTINATION share/doc/python3-partita/examples COMPONENT python)
  install(FILES samples/annotator/tile_npu.py DESTINATION share/doc/python3-partita/examples/annotator COMPONENT python)
endif()

# Packing builds nothing: what is installed was built before.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME partita)
set(CPACK_PACKAGE_VENDOR "The Partita project")
set(CPACK_PACKAGE_CONTACT "${PARTITA_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${GRAPHVIZ_PLUGIN_FOLDER})
set(CPACK_DEBIAN_PACKAGE_DEPENDS "gcc")
# What puts windows on a screen, and letters into pictures, and runs rules in Python: started or loaded, no library names it.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "qt6-qpa-plugins, qt6-translations-l10n, fonts-dejavu-core, python3, python3-numpy")
set(CPACK_PACKAGE_DESCRIPTION "Partita shows how Relay's flow for compilers of one's own annotates the
operators that a backend supports, merges neighbours into regions, and makes
each region a function of its own. It reads Relay text and ONNX models, tells
why each operator goes where it goes, lets a person change that, runs and
measures the result, and exports it. There is a window, partita, and a command
line, partita-cli.")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME partita)
set(CPACK_DEBIAN_UNSPECIFIED_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-partita)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS 
  "python3 (>= ${PARTITA_PYTHON_VERSION}), python3 (<< ${PARTITA_PYTHON_VERSION}.99), python3-numpy, gcc")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "fonts-dejavu-core")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
  "${CMAKE_CURRENT_LIST_DIR}/python/postinst" "${CMAKE_CURRENT_LIST_DIR}/python/prerm")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "partita, jupyter-notebook")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "This is Partita's engine for Python. It opens Relay text and ONNX models,
divides them among compilers, tells why each operator goes where it goes, runs
and measures the result on numpy's arrays, and exports it. Rules may be
functions of Python.")
include(CPack)
