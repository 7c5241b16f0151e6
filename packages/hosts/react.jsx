// The element in React: attributes, a property that is an object, an event, and a changed property that runs again.
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import 'tessera-playground';

function Host() {
  const [policy, setPolicy] = useState('DRAM');
  const [told, setTold] = useState('nothing');
  return (
    <>
      <button onClick={() => setPolicy('Greedy')}>Greedy</button>
      <output>{told}</output>
      <tessera-playground
        src="mlp.mlir"
        height="auto"
        policy={policy}
        options={{ 'tensor-l1-usage-cap': 0.5 }}
        ontessera-run={({ detail }) =>
          setTold(`${detail.report.options.policy} ${detail.report.options['tensor-l1-usage-cap']}`)
        }
      />
    </>
  );
}

createRoot(document.getElementById('host')).render(<Host />);
