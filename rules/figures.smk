# Figures of the documentation, from the tables that they show.


rule figure:
    input:
        specification="{figure}.vl.json",
        table=lambda wildcards: f"{RESULTS}/{FIGURES[wildcards.figure]}",
    output:
        "{figure}.svg",
    log:
        log_path("figure", "{figure}", RESULTS),
    benchmark:
        benchmark_path("figure", "{figure}", RESULTS)
    conda:
        ENVIRONMENT
    params:
        code=implementation("figure"),
    shell:
        "python -m morpos.workflow figure --output {output:q}"
        " -- {input.specification:q} {input.table:q} 2> {log:q}"


rule figures:
    input:
        expand("{figure}.svg", figure=FIGURES),
