// Files and texts dropped anywhere on the page. Files are taken before the editor could insert them as text.

interface DropHooks {
  readonly dragging: (on: boolean) => void;
  readonly file: (file: File) => void;
  readonly text: (text: string) => void;
}

export function installDrop(hooks: DropHooks): void {
  const hasFiles = (event: DragEvent): boolean => [...(event.dataTransfer?.types ?? [])].includes('Files');
  const overText = (event: DragEvent): boolean =>
    event
      .composedPath()
      .some(
        (element) =>
          element instanceof HTMLElement && (element.isContentEditable || element.matches('textarea, input')),
      );
  let depth = 0;

  window.addEventListener(
    'dragenter',
    (event) => {
      if (!hasFiles(event)) return;
      depth++;
      hooks.dragging(true);
    },
    true,
  );
  window.addEventListener(
    'dragleave',
    (event) => {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) hooks.dragging(false);
    },
    true,
  );
  window.addEventListener(
    'dragover',
    (event) => {
      if (hasFiles(event) || !overText(event)) event.preventDefault();
    },
    true,
  );
  window.addEventListener(
    'drop',
    (event) => {
      depth = 0;
      hooks.dragging(false);
      const file = event.dataTransfer?.files[0];
      if (file !== undefined) {
        event.preventDefault();
        event.stopPropagation();
        hooks.file(file);
        return;
      }
      if (overText(event)) return; // dragging text within a field stays the field's business
      event.preventDefault();
      const text = event.dataTransfer?.getData('text/plain') ?? '';
      if (text !== '') hooks.text(text);
    },
    true,
  );
}
