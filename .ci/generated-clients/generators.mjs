// How each generator is installed, run, and its client compiled. `generate` is what docs/clients/generated.md tells users, to the letter;
// every command runs in a folder that holds the two documents and the files of the generator's folder here.

const openapiGenerator = '7.14.0'
const cargo = 'nice -n 10 cargo build --quiet'
const go = [
  'test -f go.mod || go mod init journey',
  'go mod tidy',
  'nice -n 10 go build -o journey .',
]
const venv = (packages) => [
  'test -x venv/bin/python || python3 -m venv venv',
  `venv/bin/pip install --quiet --disable-pip-version-check ${packages}`,
]
const typescript = 'typescript@5.9.3 @types/node@20.19.43'

/** `openapi-generator-cli` from Maven, as a command that is found on the path. */
const openapiGeneratorCli = [
  `mvn -q -B dependency:get -Dartifact=org.openapitools:openapi-generator-cli:${openapiGenerator} -Dtransitive=false`,
  `mvn -q -B dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:${openapiGenerator} -DoutputDirectory="$PWD"`,
  'mkdir -p bin',
  `printf '#!/bin/sh\\nexec java -jar "%s/openapi-generator-cli-${openapiGenerator}.jar" "$@"\\n' "$PWD" > bin/openapi-generator-cli`,
  'chmod +x bin/openapi-generator-cli',
]

/**
 * `needs` are the commands without which a generator is skipped; `isQuick` those of the quick set. `again` is removed before each run,
 * the rest of the folder stays: packages, caches of compilers.
 */
export const generators = [
  {
    name: 'openapi-typescript',
    isQuick: true,
    needs: ['npm'],
    again: 'generated.ts',
    prepare: [
      'test -f package.json || npm init -y --init-type module',
      `npm install --silent --no-audit --no-fund openapi-typescript@7.13.0 openapi-fetch@0.17.0 ${typescript}`,
    ],
    generate: ['npx openapi-typescript openapi.json -o generated.ts'],
    compile: ['npx tsc -p .'],
    journey: 'node journey.js',
  },
  {
    name: 'hey-api',
    isQuick: true,
    needs: ['npm'],
    again: 'generated',
    prepare: [
      'test -f package.json || npm init -y --init-type module',
      `npm install --silent --no-audit --no-fund @hey-api/openapi-ts@0.95.0 ${typescript}`,
    ],
    generate: ['npx openapi-ts -f openapi-ts.config.mjs'],
    compile: ['npx tsc -p .'],
    journey: 'node journey.js',
  },
  {
    name: 'openapi-python-client',
    isQuick: true,
    needs: ['python3'],
    again: 'svc',
    prepare: venv('openapi-python-client==0.29.1'),
    generate: ['openapi-python-client generate --path openapi.json --meta none --output-path svc'],
    compile: ['python -m compileall -q svc'],
    journey: 'python journey.py',
  },
  {
    name: 'datamodel-code-generator',
    isQuick: true,
    needs: ['python3'],
    again: 'models.py',
    prepare: venv('datamodel-code-generator==0.89.0 pydantic==2.14.4'),
    generate: [
      'datamodel-codegen --input openapi.json --input-file-type openapi --output models.py --output-model-type pydantic_v2.BaseModel --enum-field-as-literal one --use-annotated --target-python-version 3.11 --formatters builtin',
    ],
    compile: ['python -m compileall -q models.py'],
    journey: 'python journey.py',
  },
  {
    name: 'oapi-codegen',
    isQuick: true,
    needs: ['go'],
    again: 'svc',
    prepare: ['mkdir -p svc'],
    generate: [
      'go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -generate types,client -package svc -o svc/svc.go openapi-3.0.json',
    ],
    compile: go,
    journey: './journey',
  },
  {
    name: 'ogen',
    isQuick: true,
    needs: ['go'],
    again: 'svc',
    prepare: [],
    generate: [
      'go run github.com/ogen-go/ogen/cmd/ogen@v1.24.0 --target svc --package svc --clean openapi.json',
    ],
    compile: go,
    journey: './journey',
  },
  {
    name: 'openapi-generator-go',
    needs: ['go', 'java', 'mvn'],
    again: 'svc',
    prepare: openapiGeneratorCli,
    generate: [
      'openapi-generator-cli generate -g go -i openapi-3.0.json -o svc --additional-properties=packageName=svc,withGoMod=false,useOneOfDiscriminatorLookup=true,disallowAdditionalPropertiesIfNotPresent=false --global-property=apiTests=false,modelTests=false',
    ],
    compile: go,
    journey: './journey',
  },
  {
    name: 'openapi-generator-python',
    needs: ['python3', 'java', 'mvn'],
    again: 'generated',
    prepare: openapiGeneratorCli,
    generate: [
      'openapi-generator-cli generate -g python -i openapi-3.0.json -o generated --additional-properties=packageName=svc,useOneOfDiscriminatorLookup=true,disallowAdditionalPropertiesIfNotPresent=false',
    ],
    compile: [...venv('-r generated/requirements.txt'), 'python -m compileall -q generated/svc'],
    journey: 'PYTHONPATH=generated python journey.py',
  },
  {
    name: 'openapi-generator-java',
    needs: ['java', 'mvn'],
    again: 'generated',
    prepare: openapiGeneratorCli,
    generate: [
      'openapi-generator-cli generate -g java --library native -i openapi-3.0.json -o generated --additional-properties=useOneOfDiscriminatorLookup=true,disallowAdditionalPropertiesIfNotPresent=false,enumUnknownDefaultCase=true --global-property=apiTests=false,modelTests=false',
    ],
    compile: [
      'cp Journey.java generated/src/main/java/',
      'nice -n 10 mvn -q -B -f generated/pom.xml compile dependency:build-classpath -Dmdep.outputFile=classpath',
    ],
    journey: 'java -cp "generated/target/classes:$(cat generated/classpath)" Journey',
  },
  {
    name: 'progenitor',
    needs: ['cargo'],
    again: 'svc',
    prepare: [
      'test -x bin/cargo-progenitor || nice -n 10 cargo install --quiet cargo-progenitor@0.15.1 --root .',
    ],
    generate: ['cargo progenitor -i openapi-3.0.json -o svc -n svc -v 0.1.0'],
    compile: [cargo],
    journey: 'target/debug/journey',
  },
  {
    name: 'openapi-generator-rust',
    needs: ['cargo', 'java', 'mvn'],
    again: 'svc',
    prepare: openapiGeneratorCli,
    generate: [
      `node -e 'const strip = (key, value) => key === "discriminator" ? undefined : value; const fs = require("fs"); fs.writeFileSync("plain.json", JSON.stringify(JSON.parse(fs.readFileSync("openapi-3.0.json"), strip)))'`,
      'openapi-generator-cli generate -g rust -i plain.json -o svc --additional-properties=packageName=svc --global-property=apiTests=false,modelTests=false',
    ],
    compile: [cargo],
    journey: 'target/debug/journey',
  },
]
