# The morpheme layer: a Morfessor model per set of references, or per language where it is trained on
# other texts; then every text with it.


rule morfessor:
    input:
        unpack(inputs.morfessor_files),
    output:
        f"{RESULTS}/models/{{words}}/{{models}}/{{model}}.json",
    log:
        log_path("morfessor", "{words}/{models}/{model}", RESULTS),
    benchmark:
        benchmark_path("morfessor", "{words}/{models}/{model}", RESULTS)
    # Where models are shared: the only rule whose parameters and inputs hold all that decides the
    # result, and whose result takes long (docs/workflow.md).
    cache: "omit-software" if SHARED else False
    # The longest jobs of the annotation: let them start as soon as their reference is tokenised.
    priority: 10
    conda:
        ENVIRONMENT
    params:
        code=implementation("morfessor"),
        dampening=lambda wildcards: inputs.models_setup(wildcards)["dampening"],
        corpus_weight=lambda wildcards: inputs.models_setup(wildcards)["corpus_weight"],
        finish_threshold=lambda wildcards: inputs.models_setup(wildcards)[
            "finish_threshold"
        ],
        seed=lambda wildcards: inputs.models_setup(wildcards)["seed"],
        addcount=lambda wildcards: inputs.models_setup(wildcards)["addcount"],
        maxlen=lambda wildcards: inputs.models_setup(wildcards)["maxlen"],
    shell:
        "python -m morpos.workflow morfessor --dampening={params.dampening}"
        " --corpus-weight={params.corpus_weight} --finish-threshold={params.finish_threshold}"
        " --seed={params.seed} --addcount={params.addcount} --maxlen={params.maxlen}"
        " --list {input.list:q} --output {output:q} -- {input.words:q} 2> {log:q}"


if SHARED:  # Snakemake allows no benchmark of what may come from its cache.
    workflow.get_rule("morfessor")._benchmark = None


rule morphemes:
    input:
        words=f"{RESULTS}/words/{{words}}/{{text}}{SUFFIX}",
        model=inputs.morphemes_model,
    output:
        layer=f"{RESULTS}/morphemes/{{words}}/{{morphemes}}/{{model}}/{{text}}{SUFFIX}",
        facts=f"{RESULTS}/morphemes/{{words}}/{{morphemes}}/{{model}}/{{text}}.json",
    log:
        log_path("morphemes", "{words}/{morphemes}/{model}/{text}", RESULTS),
    benchmark:
        benchmark_path("morphemes", "{words}/{morphemes}/{model}/{text}", RESULTS)
    conda:
        ENVIRONMENT
    params:
        code=implementation("morphemes"),
        training=inputs.morphemes_training,
        boundary=lambda wildcards: inputs.morphemes_setup(wildcards).morphemes[
            "boundary"
        ],
    shell:
        "python -m morpos.workflow morphemes --training={params.training}"
        " --boundary={params.boundary:q} --model {input.model:q}"
        " --output {output.layer:q} {input.words:q} 2> {log:q}"
