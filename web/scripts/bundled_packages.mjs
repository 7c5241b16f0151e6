// Names the npm packages whose code is in what was built: packages.json beside it, for licences of our own packages.
const packageOf = (id) => /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1]?.replaceAll('\\', '/');

// For a vite configuration.
export function bundledPackages() {
  return {
    name: 'bundled-packages',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
      const names = chunks.flatMap(({ moduleIds }) => moduleIds.map(packageOf)).filter((name) => name !== undefined);
      const source = `${JSON.stringify([...new Set(names)].sort())}\n`;
      this.emitFile({ type: 'asset', fileName: 'packages.json', source });
    },
  };
}
