# All annotations in a BagIt bag with Snakemake's records of them, and back.


rule archive:
    input:
        annotations,
    output:
        f"{CONFIG['archive']['path']}/manifest-sha256.txt",
    log:
        f"{RESULTS}/logs/archive.log",
    benchmark:
        f"{RESULTS}/benchmarks/archive.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("archive"),
        config=json.dumps(config, sort_keys=True),
    shell:
        "python -m morpos.workflow archive --config {params.config:q} 2> {log:q}"


# Without an output, so that it runs whenever it is asked for. The texts are there first, so that they
# are compared, and not newer than what is restored.
rule restore:
    input:
        lambda wildcards: sources(PROJECT),
    log:
        f"{RESULTS}/logs/restore.log",
    benchmark:
        f"{RESULTS}/benchmarks/restore.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    params:
        config=json.dumps(config, sort_keys=True),
    shell:
        "python -m morpos.workflow restore --config {params.config:q} 2> {log:q}"
