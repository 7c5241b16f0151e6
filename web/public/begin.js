// Before anything is drawn: the theme (src/view/theme.ts), and what the first picture needs.
{
  const root = document.documentElement;
  let theme = null;
  try {
    theme = localStorage.getItem('tessera-theme');
  } catch {
    // storage may be forbidden
  }
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  root.dataset.theme = theme === 'light' || theme === 'dark' ? theme : system;
  // A link shows its own graph: nothing of the first sample is drawn or loaded.
  const isLink = location.hash.length > 1 || new URLSearchParams(location.search).has('url');
  if (isLink) root.dataset.opens = 'link';
  const ahead = (isLink ? null : document.currentScript.dataset.ahead?.match(/\S+/g)) ?? [];
  for (const href of ahead) {
    const link = document.createElement('link');
    document.head.append(Object.assign(link, { rel: 'preload', as: 'fetch', crossOrigin: '', href }));
  }
}

// Browsers load neither modules nor the engine from a file: says what to do.
if (location.protocol === 'file:')
  addEventListener('DOMContentLoaded', () => {
    const note = document.createElement('main');
    const add = (tag, text) => note.appendChild(document.createElement(tag)).append(text);
    add('h1', 'Tessera needs a web server');
    add(
      'p',
      'This page was opened as a file, and browsers run no WebAssembly from files. ' +
        'Any local server will do: in the folder of this file, start',
    );
    add('pre', 'python3 -m http.server 8000 --bind 127.0.0.1');
    add('p', 'or any other static server, and open');
    add('pre', 'http://127.0.0.1:8000/');
    add('p', 'Nothing is sent anywhere; after one visit the page also works without the server.');
    document.body.replaceChildren(note);
  });
