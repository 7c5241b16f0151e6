// Browsers load neither modules nor the engine from a file: says what to do.
if (location.protocol === 'file:')
  addEventListener('DOMContentLoaded', () => {
    const note = document.createElement('main');
    const add = (tag, text) => note.appendChild(document.createElement(tag)).append(text);
    add('h1', 'Tessera needs a web server');
    add('p', 'This page was opened as a file, and browsers run no WebAssembly from files. Any local server will do: in the folder of this file, start');
    add('pre', 'python3 -m http.server 8000 --bind 127.0.0.1');
    add('p', 'or any other static server, and open');
    add('pre', 'http://127.0.0.1:8000/');
    add('p', 'Nothing is sent anywhere; after one visit the page also works without the server.');
    document.body.replaceChildren(note);
  });
