# The project, where its files lie, and what wildcards may be. No rules, no logic: that is in
# scripts/morpos/workflow.
import json
import os
import re
from pathlib import Path

try:
    import morpos
    from morpos.errors import MorposError
    from morpos.io.files import slug
    from morpos.io.schema import read_yaml
    from morpos.project.reading import read_project
    from morpos.workflow.code_digest import implementation
    from morpos.workflow import outcome
    from morpos.workflow.annotations import annotation_files, sources
    from morpos.workflow.inputs import (
        CHECKOUT,
        Inputs,
        as_is,
        benchmark_path,
        environment,
        log_path,
    )
    from morpos.workflow.server import client, preload, server
except ImportError as error:
    raise WorkflowError(
        f"{error}: run `make setup`, then `. .venv/bin/activate`"
    ) from None

if Path(morpos.__file__).resolve().parents[2] != Path(workflow.basedir).resolve():
    raise WorkflowError(
        f"python finds another morpos ({morpos.__file__}) than this checkout's; "
        "run `make setup`, or activate the environment that belongs to this checkout"
    )

try:
    for path in workflow.configfiles:
        read_yaml(path)  # Snakemake itself would take the last of two equal keys
    PROJECT = read_project(config, " and ".join(map(str, workflow.configfiles)))
except MorposError as error:
    raise WorkflowError(str(error)) from None

CONFIG = PROJECT.config
RESULTS = CONFIG["results"]
BASE = CONFIG["base"]
TESTSETS = PROJECT.testsets
ARCHIVES = PROJECT.archives
FIGURES = CONFIG["figures"]
JUDGED_REFERENCES = as_is(CONFIG["human"]["references"])
STATISTICS = CONFIG["statistics"]
ENVIRONMENT = environment()
os.environ[CHECKOUT] = str(workflow.basedir)
# The functions of the rules' inputs and parameters.
inputs = Inputs(PROJECT)
JUDGED = inputs.judged
RUNS = inputs.runs
SUFFIX = inputs.suffix
# Whether Snakemake's cache between workflows is set up.
SHARED = "SNAKEMAKE_OUTPUT_CACHE" in os.environ
OUTCOME = outcome.Outcome(PROJECT)
# How the judgments of a test set are read: parameters of every rule that reads them.
JUDGMENTS = {
    "format": lambda wildcards: inputs.testset(wildcards).judgments_format,
    "source": lambda wildcards: inputs.testset(wildcards).source,
    "target": lambda wildcards: inputs.testset(wildcards).target,
    "domain": lambda wildcards: inputs.testset(wildcards).domain,
    "lower_is_better": lambda wildcards: inputs.testset(wildcards).lower_is_better,
    "rule": CONFIG["human"]["rule"] or "",
    "sha256": inputs.judgments_sha256,
}


wildcard_constraints:
    run="|".join(map(re.escape, RUNS)),
    text="[^/]+/[^/]+",
    testset="|".join(map(re.escape, TESTSETS)),
    model="[^/]+",
    system="[^/]+",
    words="[^/]+",
    models="[^/]+",
    morphemes="[^/]+",
    tags="[^/]+",
    archive="|".join(map(re.escape, ARCHIVES)) or "-",
    tagger="[^/]+",
    layer="[^/]+",
    language="[a-z]+",
    baseline="[^/]+",
    kind="(baseline_)?(scores|correlations|summary)",
    ending="[a-z]+",
    figure="|".join(map(re.escape, FIGURES)) or "-",
