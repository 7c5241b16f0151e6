// The report element as a script of its own: the page says TesseraReport.readReport(JSON.parse(text)).

import { setDocBase } from '../view/doc_link';

export { readReport } from '../model/wire';
export { TesseraReport } from './report_element';
export { setDocBase };

setDocBase(null); // the documents are elsewhere, or nowhere
