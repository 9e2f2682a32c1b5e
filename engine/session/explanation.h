// Why calls go where they go, what is covered, what an edit changed, and the tests that descriptions bring along: the
// rooms of the rules that the window and the command line show.
#pragma once

#include "engine/rules/coverage.h"
#include "engine/rules/description_outline.h"
#include "engine/rules/explain.h"
#include "engine/rules/flow_change.h"
#include "engine/rules/rule_tests.h"
#include "engine/rules/what_if.h"
