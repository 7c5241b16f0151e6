// Files and texts dropped anywhere on the page. Files are taken before the editor could insert them as text.

export interface DroppedFile {
  readonly path: string;
  readonly file: File;
}

const kMostFiles = 20_000; // of a folder

// All files below a folder, with their paths.
async function filesBelow(folder: FileSystemDirectoryEntry): Promise<readonly DroppedFile[]> {
  const found: DroppedFile[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined && found.length < kMostFiles; next = waiting.pop()) {
    const reader = next.createReader();
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) break;
      for (const entry of some) {
        if (entry.isDirectory) waiting.push(entry as FileSystemDirectoryEntry);
        else
          found.push({
            path: entry.fullPath,
            file: await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)),
          });
      }
    }
  }
  return found;
}

// What cannot be read is left out. The item is asked at once: it is empty when the drop is over.
function filesOf(item: DataTransferItem): Promise<readonly DroppedFile[]> {
  const entry = item.webkitGetAsEntry();
  if (entry?.isDirectory === true) return filesBelow(entry as FileSystemDirectoryEntry).catch(() => []);
  const file = item.getAsFile();
  return Promise.resolve(file === null ? [] : [{ path: file.name, file }]);
}

interface DropHooks {
  readonly dragging: (on: boolean) => void;
  readonly file: (file: File) => void;
  readonly folder: (files: readonly DroppedFile[]) => void;
  readonly many: (files: readonly DroppedFile[]) => void; // files and folders together
  readonly text: (text: string) => void;
}

const hasFiles = (event: DragEvent): boolean => [...(event.dataTransfer?.types ?? [])].includes('Files');

const overText = (event: DragEvent): boolean =>
  event
    .composedPath()
    .some(
      (element) => element instanceof HTMLElement && (element.isContentEditable || element.matches('textarea, input')),
    );

function stop(event: DragEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

function take(event: DragEvent, hooks: DropHooks): void {
  const items = [...(event.dataTransfer?.items ?? [])].filter(({ kind }) => kind === 'file');
  const entry = items[0]?.webkitGetAsEntry();
  if (items.length > 1) {
    stop(event);
    void Promise.all(items.map(filesOf)).then((lists) => hooks.many(lists.flat()));
    return;
  }
  if (entry?.isDirectory === true) {
    stop(event);
    void filesOf(items[0]!).then(hooks.folder);
    return;
  }
  const file = event.dataTransfer?.files[0];
  if (file !== undefined) {
    stop(event);
    hooks.file(file);
    return;
  }
  if (overText(event)) return; // dragging text within a field stays the field's business
  event.preventDefault();
  const text = event.dataTransfer?.getData('text/plain') ?? '';
  if (text !== '') hooks.text(text);
}

export function installDrop(hooks: DropHooks): void {
  let depth = 0;
  const on = (name: 'dragenter' | 'dragleave' | 'dragover' | 'drop', act: (event: DragEvent) => void): void =>
    window.addEventListener(name, act, true);
  on('dragenter', (event) => {
    if (!hasFiles(event)) return;
    depth++;
    hooks.dragging(true);
  });
  on('dragleave', (event) => {
    if (!hasFiles(event)) return;
    depth = Math.max(0, depth - 1);
    if (depth === 0) hooks.dragging(false);
  });
  on('dragover', (event) => {
    if (hasFiles(event) || !overText(event)) event.preventDefault();
  });
  on('drop', (event) => {
    depth = 0;
    hooks.dragging(false);
    take(event, hooks);
  });
}
