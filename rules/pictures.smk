# Pictures of the documentation, from the tables that they show.


rule picture:
    input:
        specification="{picture}.vl.json",
        table=lambda wildcards: f"{RESULTS}/{PICTURES[wildcards.picture]}",
    output:
        "{picture}.svg",
    log:
        f"{RESULTS}/logs/picture/{{picture}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/picture/{{picture}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("picture"),
    shell:
        "python -m morpos.workflow picture --output {output:q} -- {input.specification:q} {input.table:q}"
        " 2> {log:q}"


rule pictures:
    input:
        expand("{picture}.svg", picture=PICTURES),
