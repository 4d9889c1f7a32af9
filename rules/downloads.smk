# Files of a registry, verified by their checksums, and the official archives. Each folder of the
# registry is one job: a job a file takes ten times as long.
# Where they come from is no parameter of a rule (which `snakemake --lint` would like it to be):
# another mirror is no reason to download, and then to annotate, everything anew. And `update` keeps
# the files that are there until a job has others.
DOWNLOAD = f"python -m morpos.workflow download {inputs.download_source()}"


for folder, paths in inputs.downloads().items():

    rule:
        name:
            f"download_{slug(folder).replace('-', '_').replace('.', '_')}"
        output:
            update([f"{BASE}/{path}" for path in paths]),
        log:
            log_path("download", folder, RESULTS),
        benchmark:
            benchmark_path("download", folder, RESULTS)
        localrule: True
        conda:
            ENVIRONMENT
        resources:
            download=1,
        params:
            code=implementation("download"),
            names=paths,
        shell:
            "{DOWNLOAD} -- {params.names:q} 2> {log:q}"


rule fetch_archive:
    output:
        update(f"{BASE}/{{archive}}"),
    log:
        log_path("fetch_archive", "{archive}", RESULTS),
    benchmark:
        benchmark_path("fetch_archive", "{archive}", RESULTS)
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        download=1,
    params:
        code=implementation("download"),
    shell:
        "{DOWNLOAD} -- {wildcards.archive:q} 2> {log:q}"


rule unpack:
    input:
        f"{BASE}/{{archive}}",
    output:
        directory(f"{BASE}/unpacked/{{archive}}"),
    log:
        log_path("unpack", "{archive}", RESULTS),
    benchmark:
        benchmark_path("unpack", "{archive}", RESULTS)
    localrule: True
    conda:
        ENVIRONMENT
    params:
        code=implementation("unpack"),
    shell:
        "python -m morpos.workflow unpack --output {output:q} {input:q} 2> {log:q}"


rule archives:
    input:
        [f"{BASE}/unpacked/{archive}" for archive in ARCHIVES],
