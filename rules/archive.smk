# All annotations in a BagIt bag with Snakemake's records of them, and back. The configuration says
# which, and where the bag lies.


rule archive:
    input:
        lambda wildcards: [f"{RESULTS}/{path}" for path in annotation_files(PROJECT)],
    output:
        f"{CONFIG['archive']['path']}/manifest-sha256.txt",
    log:
        log_path("archive", "", RESULTS),
    benchmark:
        benchmark_path("archive", "", RESULTS)
    localrule: True
    conda:
        ENVIRONMENT
    params:
        code=implementation("archive"),
        config=as_is(json.dumps(config, sort_keys=True)),
    shell:
        "python -m morpos.workflow archive --config {params.config:q} 2> {log:q}"


# Without an output or a benchmark, so that it runs whenever it is asked for. The texts are there first, so that they
# are compared, and not newer than what is restored.
rule restore:
    input:
        lambda wildcards: sources(PROJECT),
    log:
        log_path("restore", "", RESULTS),
    localrule: True
    conda:
        ENVIRONMENT
    params:
        config=as_is(json.dumps(config, sort_keys=True)),
    shell:
        "python -m morpos.workflow restore --config {params.config:q} 2> {log:q}"
