// Runs the tests of kernels once more for each vector unit of the machine, because kernels are compiled for several.
#pragma once

#include <QProcess>
#include <QtTest>

#include "engine/ops/vector_units.h"
#include "tests/registry.h"

namespace partita::testing {

inline void name_older_vector_units() {
    QTest::addColumn<QString>("unit");
    if (vector_unit() == VectorUnit::Avx512) QTest::newRow("avx2") << "avx2";
    if (vector_unit() != VectorUnit::Baseline) QTest::newRow("baseline") << "baseline";
}

/// Runs the other tests of this program as on a processor without the newer units.
inline void pass_on_older_unit() {
    if (qEnvironmentVariableIsSet("PARTITA_VECTOR_UNIT")) QSKIP("this is the older unit");
    QFETCH(QString, unit);
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("PARTITA_VECTOR_UNIT", unit);
    for (const char* name : {"ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA"})
        environment.insert(name, unit == "avx2" ? "AVX2" : "SSE41");
    program.setProcessEnvironment(environment);
    program.start(program_of_test(), QStringList());
    QVERIFY(program.waitForFinished(250000));
    QByteArray output = program.readAllStandardOutput();
    QVERIFY2(program.exitStatus() == QProcess::NormalExit && program.exitCode() == 0, output.right(2000).constData());
    QVERIFY2(output.contains("this is the older unit") || unit == "baseline", output.right(2000).constData());
}

}  // namespace partita::testing
