# morpos: n-gram metrics over words, morphemes and POS tags, judged against human rankings.
# Each stage has a file in rules/; the rules call `python -m morpos.workflow <step>`.
from snakemake.utils import min_version

min_version("9.27")


# The demo, unless another configuration is given; never a mixture of both.
if not workflow.overwrite_configfiles:

    configfile: "config/config.yaml"


# Snakemake 9.27 looks at all ready jobs again a second after each look: with hundreds of them that
# takes more time than the jobs. Its limit on starts per second is only of use on a cluster.
# The server saves local jobs the start of an interpreter and its imports, which took a third of a run.
onstart:
    try:
        outcome.require_writable(RESULTS)
    except MorposError as error:
        raise WorkflowError(str(error)) from None
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None
        if not workflow.deployment_settings.deployment_method:
            os.environ[client.ADDRESS] = server.start(
                preload.project_tools(PROJECT)
            )


# What a person must know stands at the end, not somewhere above.
onsuccess:
    print(*OUTCOME.lines(workflow.dag.jobs), sep="\n")


onerror:
    print(*OUTCOME.failures(workflow.configfiles), sep="\n")


include: "rules/common.smk"


if CONFIG["download"]["registry"]:

    include: "rules/downloads.smk"


include: "rules/texts.smk"
include: "rules/check.smk"
include: "rules/words.smk"
include: "rules/morphemes.smk"
include: "rules/tags.smk"
include: "rules/layers.smk"
include: "rules/scores.smk"
include: "rules/correlations.smk"
include: "rules/report.smk"
include: "rules/archive.smk"
include: "rules/significance.smk"
include: "rules/external.smk"
include: "rules/exports.smk"
include: "rules/figures.smk"


rule all:
    default_target: True
    input:
        rules.check.input,
        rules.scores_all.input,
        rules.correlations_all.input,
        inputs.report_files(),
