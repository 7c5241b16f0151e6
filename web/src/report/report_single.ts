// The report element as a script of its own: the page says TesseraReport.readReport(JSON.parse(text)).

export { readReport } from '../model/wire';
export { setDocBase } from '../view/doc_link';
export { TesseraReport } from './report_element';
