# The morpheme layer: a Morfessor model per set of references, or per language where it is trained on
# other texts; then every text with it.


rule morfessor:
    input:
        unpack(morfessor_input),
    output:
        f"{RESULTS}/models/{{words}}/{{models}}/{{model}}.json",
    log:
        f"{RESULTS}/logs/morfessor/{{words}}/{{models}}/{{model}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/morfessor/{{words}}/{{models}}/{{model}}.tsv"
    # Where models are shared: the only rule whose parameters and inputs hold all that decides the
    # result, and whose result takes long (docs/workflow.md).
    cache: "omit-software" if SHARED else False
    # The longest jobs of the annotation: let them start as soon as their reference is tokenised.
    priority: 10
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("morfessor"),
        options=morfessor_options,
    shell:
        "python -m morpos.workflow morfessor {params.options} --output {output:q}"
        " -- {input.words:q} 2> {log:q}"


if SHARED:  # Snakemake allows no benchmark of what may come from its cache.
    workflow.get_rule("morfessor")._benchmark = None


rule morphemes:
    input:
        words=f"{RESULTS}/words/{{words}}/{{text}}{ENDING}",
        model=morphemes_model,
    output:
        layer=f"{RESULTS}/morphemes/{{words}}/{{morphemes}}/{{model}}/{{text}}{ENDING}",
        facts=f"{RESULTS}/morphemes/{{words}}/{{morphemes}}/{{model}}/{{text}}.json",
    log:
        f"{RESULTS}/logs/morphemes/{{words}}/{{morphemes}}/{{model}}/{{text}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/morphemes/{{words}}/{{morphemes}}/{{model}}/{{text}}.tsv"
    conda:
        ENVIRONMENT
    params:
        implementation=implementation("morphemes"),
        options=morphemes_options,
    shell:
        "python -m morpos.workflow morphemes {params.options} --model {input.model:q}"
        " --output {output.layer:q} {input.words:q} 2> {log:q}"
