# The POS layer, one tag for each word, and the lemma layer. Both read the words; and what the tagger
# needs: its model or the given tags, if they are a file, or the verified installation of TreeTagger.
# The model's name goes into the signature; a file of the user's is an input. `home`, the folder of an
# installed program, is the one path among the parameters.


rule tags:
    input:
        unpack(inputs.tags_files),
    output:
        layer=f"{RESULTS}/tags/{{words}}/{{tags}}/{{text}}{SUFFIX}",
        facts=f"{RESULTS}/tags/{{words}}/{{tags}}/{{text}}.json",
    log:
        log_path("tags", "{words}/{tags}/{text}", RESULTS),
    benchmark:
        benchmark_path("tags", "{words}/{tags}/{text}", RESULTS)
    conda:
        lambda wildcards: environment(inputs.tagging(wildcards)["tagger"])
    params:
        code=inputs.tags_code,
        language=lambda wildcards: inputs.text(wildcards).language,
        tagger=lambda wildcards: inputs.tagging(wildcards)["tagger"],
        model=inputs.tags_model,
        granularity=lambda wildcards: inputs.tagging(wildcards).get(
            "granularity", "full"
        ),
        home=lambda wildcards: inputs.tagging(wildcards).get("home", ""),
    shell:
        "python -m morpos.workflow tags --language={params.language} --tagger={params.tagger}"
        " --model={params.model:q} --granularity={params.granularity} --home={params.home:q}"
        " --model-file {input.model:q} --given {input.given:q}"
        " --output {output.layer:q} {input.words:q} 2> {log:q}"


rule lemmas:
    input:
        unpack(inputs.lemmas_files),
    output:
        layer=f"{RESULTS}/lemmas/{{words}}/{{tagger}}/{{text}}{SUFFIX}",
        facts=f"{RESULTS}/lemmas/{{words}}/{{tagger}}/{{text}}.json",
    log:
        log_path("lemmas", "{words}/{tagger}/{text}", RESULTS),
    benchmark:
        benchmark_path("lemmas", "{words}/{tagger}/{text}", RESULTS)
    conda:
        lambda wildcards: environment(inputs.lemmatising(wildcards)["tagger"])
    params:
        code=inputs.lemmas_code,
        language=lambda wildcards: inputs.text(wildcards).language,
        tagger=lambda wildcards: inputs.lemmatising(wildcards)["tagger"],
        model=lambda wildcards: inputs.lemmatising(wildcards).get("model", ""),
        home=lambda wildcards: inputs.lemmatising(wildcards).get("home", ""),
    shell:
        "python -m morpos.workflow lemmas --language={params.language} --tagger={params.tagger}"
        " --model={params.model:q} --home={params.home:q}"
        " --output {output.layer:q} {input.words:q} 2> {log:q}"


# A misconfigured TreeTagger fails here, once, and not in every job.
rule treetagger:
    output:
        f"{RESULTS}/taggers/{{tagger}}-{{language}}.json",
    log:
        log_path("treetagger", "{tagger}-{language}", RESULTS),
    benchmark:
        benchmark_path("treetagger", "{tagger}-{language}", RESULTS)
    conda:
        environment("treetagger")
    params:
        code=implementation("treetagger"),
        model=lambda wildcards: inputs.verifying(wildcards).get("model", ""),
        home=lambda wildcards: inputs.verifying(wildcards).get("home", ""),
    shell:
        "python -m morpos.workflow treetagger --language={wildcards.language}"
        " --model={params.model:q} --home={params.home:q} --output {output:q} 2> {log:q}"
