// Makes the element known. Loaded twice, or in two versions, the first one counts.

import { setDocBase } from '../view/doc_link';
import { engineFiles, setEngineBase } from './base';
import { TesseraPlayground } from './playground';

// `own`: address of the script that a page loads; the engine's files are beside its folder.
export function defineElement(own: string): void {
  if (engineFiles() === null) setEngineBase(new URL('../engine/', own).href);
  setDocBase(null); // the documents are elsewhere, or nowhere
  if (customElements.get('tessera-playground') === undefined)
    customElements.define('tessera-playground', TesseraPlayground);
}
