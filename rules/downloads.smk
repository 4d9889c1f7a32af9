# Files of a registry, verified by their checksums, and the official archives. Each folder of the
# registry is one job: a job a file takes ten times as long.
# Where they come from is no parameter of a rule (which `snakemake --lint` would like it to be):
# another mirror is no reason to download, and then to annotate, everything anew. And `update` keeps
# the files that are there until a job has others.
DOWNLOAD = f"python -m morpos.workflow download {download_options()}"


for folder, paths in DOWNLOADS.items():

    rule:
        name:
            f"download_{slug(folder).replace('-', '_').replace('.', '_')}"
        output:
            update([f"{BASE}/{path}" for path in paths]),
        log:
            f"{RESULTS}/logs/download/{folder}.log",
        benchmark:
            f"{RESULTS}/benchmarks/download/{folder}.tsv"
        localrule: True
        conda:
            ENVIRONMENT
        resources:
            download=1,
        params:
            implementation=implementation("download"),
            paths=shlex.join(paths),
        shell:
            "{DOWNLOAD} -- {params.paths} 2> {log:q}"


rule fetch_archive:
    output:
        update(f"{BASE}/{{archive}}"),
    log:
        f"{RESULTS}/logs/fetch_archive/{{archive}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/fetch_archive/{{archive}}.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        download=1,
    params:
        implementation=implementation("download"),
    shell:
        "{DOWNLOAD} -- {wildcards.archive:q} 2> {log:q}"


rule unpack:
    input:
        f"{BASE}/{{archive}}",
    output:
        directory(f"{BASE}/unpacked/{{archive}}"),
    log:
        f"{RESULTS}/logs/unpack/{{archive}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/unpack/{{archive}}.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("unpack"),
    shell:
        "python -m morpos.workflow unpack --output {output:q} {input:q} 2> {log:q}"


rule archives:
    input:
        [f"{BASE}/unpacked/{archive}" for archive in ARCHIVES],
