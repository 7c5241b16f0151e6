// The graphs that a study in the page is about: samples of the page, or files of this computer.

export interface StudyFile {
  readonly path: string;
  readonly sample: string; // id of a sample of the page; '': a file
  readonly load: () => Promise<string>;
}

export interface GivenFile {
  readonly path: string;
  readonly file: File;
}

interface Sample {
  readonly id: string;
  readonly file: string;
}

export const kMostStudyBytes = 64 * 1024 * 1024; // of a file

export const sampleFiles = (samples: readonly Sample[]): readonly StudyFile[] =>
  samples.map(({ id, file }) => ({
    path: `samples/${file}`,
    sample: id,
    load: async () => {
      const response = await fetch(new URL(`samples/${encodeURIComponent(file)}`, document.baseURI));
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return response.text();
    },
  }));

// As the command line takes them: of folders what ends in .mlir or .json and is not hidden, else every file.
export function graphFiles(given: readonly GivenFile[]): readonly StudyFile[] {
  return given
    .map(({ path, file }) => ({ path: path.replace(/^\/+/, ''), file }))
    .filter(({ path }) => !path.includes('/') || (/\.(mlir|json)$/i.test(path) && !/(^|\/)\./.test(path)))
    .map(({ path, file }) => ({ path, sample: '', load: () => file.text() }));
}

export const givenFiles = (files: FileList | null): readonly GivenFile[] =>
  [...(files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
