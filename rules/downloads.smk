# Files of a registry, verified by their checksums, and the official archives. Each folder of the
# registry is one job: a job a file takes ten times as long. `update` keeps the files that are there
# already, so that another mirror downloads nothing anew.


for folder, paths in DOWNLOADS.items():

    rule:
        name:
            f"download_{re.sub(r'[^A-Za-z0-9]', '_', folder)}"
        output:
            update([f"{BASE}/{path}" for path in paths]),
        log:
            f"{RESULTS}/logs/download/{folder}.log",
        localrule: True
        conda:
            ENVIRONMENT
        resources:
            download=1,
        params:
            implementation=implementation("download"),
            options=download_options,
            paths=shlex.join(paths),
        shell:
            "python -m morpos download {params.options} -- {params.paths} 2> {log:q}"


rule fetch_archive:
    output:
        update(f"{BASE}/statmt.org/{{archive}}"),
    log:
        f"{RESULTS}/logs/archive/{{archive}}.log",
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        download=1,
    params:
        implementation=implementation("download"),
        options=download_options,
    shell:
        "python -m morpos download {params.options} -- statmt.org/{wildcards.archive:q} 2> {log:q}"


rule unpack:
    input:
        f"{BASE}/statmt.org/{{archive}}",
    output:
        directory(f"{BASE}/unpacked/{{archive}}"),
    log:
        f"{RESULTS}/logs/unpack/{{archive}}.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("unpack"),
    shell:
        "python -m morpos unpack --output {output:q} {input:q} 2> {log:q}"


rule archives:
    input:
        [f"{BASE}/unpacked/{archive}" for archive in ARCHIVES],
