// What axe finds in a page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const kColorRules = ['color-contrast', 'link-in-text-block']; // all that a theme changes

// In both themes; the page is left in the one that it had.
export const seriousInBothThemes = (page) => inBothThemes(page, seriousFindings);
export const findingsInBothThemes = (page) => inBothThemes(page, findings);

async function inBothThemes(page, find) {
  const found = await find(page);
  const dark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  await page.emulateMedia({ colorScheme: dark ? 'light' : 'dark' });
  const other = await find(page, kColorRules);
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
  return [...found, ...other];
}

export async function seriousFindings(page, rules = null) {
  return (await violations(page, rules))
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(told);
}

// Of any impact.
export async function findings(page, rules = null) {
  return (await violations(page, rules)).map(told);
}

async function violations(page, rules) {
  const loaded = await page.evaluate(() => window.axe !== undefined);
  if (!loaded) await page.evaluate(source); // through the debugger: the page's own policy would refuse it
  const options = { resultTypes: ['violations'], ...(rules === null ? {} : { runOnly: rules }) };
  return (await page.evaluate((how) => window.axe.run(document, how), options)).violations;
}

function told({ id, nodes }) {
  const places = nodes.slice(0, 4).map((node) => `${node.target.flat().join(' ')} ${node.any[0]?.message ?? ''}`);
  return `${id}: ${places.join(' | ')}`;
}
