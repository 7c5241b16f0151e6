// How do I get a file? The exact commands, by what a model is written in.

import { html, type TemplateResult } from 'lit';

const kWays: readonly (readonly [string, string])[] = [
  ['JAX', 'open("model.mlir", "w").write(jax.jit(f).lower(*args).as_text(debug_info=True))'],
  [
    'PyTorch, torchax',
    'torchax.export.exported_program_to_stablehlo(torch.export.export(model, args))  # then write its text',
  ],
  [
    'PyTorch, torch-xla',
    'torch_xla.stablehlo.exported_program_to_stablehlo(torch.export.export(model, args)).get_stablehlo_text()',
  ],
  [
    'ONNX',
    'python -m torch_mlir.tools.import_onnx model.onnx -o model.torch.mlir\n' +
      'torch-mlir-opt --torch-onnx-to-torch-backend-pipeline ' +
      '--torch-backend-to-stablehlo-backend-pipeline model.torch.mlir',
  ],
  ['tt-xla, PyTorch', 'torch_xla.set_custom_compile_options({"export_path": "out", "export_model_name": "m"})'],
  ['tt-xla, JAX', 'jax.jit(f, compiler_options={"export_path": "out"})'],
];

// With tt-xla the stages shlo, ttir and ttnn are files in out/irs.
export function renderGettingAFile(): TemplateResult {
  return html`<details class="getting">
    <summary>How do I get a file?</summary>
    <p>The model’s StableHLO text is enough, for arrays of fixed shapes; weights may be left out of it.</p>
    <dl>
      ${kWays.map(
        ([from, command]) =>
          html`<dt>${from}</dt>
            <dd><code>${command}</code></dd>`,
      )}
    </dl>
    <p class="dim">tt-xla writes the stages shlo, ttir and ttnn into <code>out/irs</code>; each of them opens here.</p>
  </details>`;
}
