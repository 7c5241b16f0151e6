// Certificates that the native solvers wrote (tests/solve/certificate_test.cpp), as they are and tampered with.

import { describe, expect, it } from 'vitest';
import { checkCertificate } from '../../src/certificate/check';
import { certificates } from '../fixtures/certificates.mjs';

const read = (name: string): string => certificates.get(name) ?? '';
// A certificate whose fields a test changes at will.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Loose = any;

/** The certificate after a change; the change must make a difference. */
function changed(name: string, change: (json: Loose) => void): string {
  const json: Loose = JSON.parse(read(name));
  change(json);
  const text = JSON.stringify(json);
  expect(text).not.toBe(JSON.stringify(JSON.parse(read(name))));
  return text;
}

describe('good certificates', () => {
  it('are all there', () => expect(certificates.size).toBe(6));
  for (const name of certificates.keys()) {
    it(`accepts ${name}`, () => {
      const verdict = checkCertificate(read(name));
      expect(verdict).toMatchObject({ valid: true, reason: '' });
      const claimed: Loose = JSON.parse(read(name));
      expect(verdict.cost === null ? null : Number(verdict.cost)).toBe(claimed.cost);
      expect(verdict.lowerBound === null ? null : Number(verdict.lowerBound)).toBe(claimed.lowerBound);
    });
  }
});

describe('bounds of plans', () => {
  // The layout model of a plan whose L1 was priced: the bound is the model's, less what the capacity is worth, scaled
  // back.
  const bound = (lowerBound: number, total: string, shift = 4): string =>
    JSON.stringify({
      certificate: 1,
      problem: 'layouts',
      cost: 40,
      lowerBound,
      shift,
      total,
      model: JSON.parse(read('p1_elimination')),
    });

  it('rounds up and no further', () => {
    // (266 - 100) / 16 = 10.4
    expect(checkCertificate(bound(11, '100'))).toMatchObject({ valid: true, cost: 40n, lowerBound: 11n });
    expect(checkCertificate(bound(12, '100')).reason).toMatch(/the proof gives 11/);
    expect(checkCertificate(bound(0, '300'))).toMatchObject({ valid: true, lowerBound: 0n });
  });
  it('refuses prices and models that are not sound', () => {
    expect(checkCertificate(bound(11, '-1')).valid).toBe(false);
    expect(checkCertificate(bound(11, '100', 99)).valid).toBe(false);
    const text = JSON.parse(bound(11, '100')) as Loose;
    text.model.lowerBound += 1;
    expect(checkCertificate(JSON.stringify(text)).reason).toMatch(/does not prove/);
  });
});

describe('tampered certificates', () => {
  const refused = (name: string, change: (json: Loose) => void, reason: RegExp): void => {
    const verdict = checkCertificate(changed(name, change));
    expect(verdict.valid).toBe(false);
    expect(verdict.reason).toMatch(reason);
  };

  it('refuses a better cost or bound than there is', () => {
    for (const name of ['p1_elimination', 'p1_reparametrisation', 'p2', 'p3']) {
      refused(name, (json) => (json.cost -= 1), /the solution costs/);
      refused(name, (json) => (json.lowerBound += 1), /the proof gives/);
    }
    refused('p1_elimination', (json) => (json.lowerBound = null), /the proof gives/);
  });

  it('refuses raised messages, wherever they are', () => {
    const count = JSON.parse(read('p1_elimination')).proof.messages.length as number;
    for (let i = 0; i < count; ++i) {
      const text = changed('p1_elimination', (json) => {
        const message = json.proof.messages[i].costs;
        message[0] = message[0] === null ? null : message[0] + 1;
        json.lowerBound += 1;
      });
      expect(checkCertificate(text).valid).toBe(false);
    }
  });

  it('refuses an incomplete elimination', () => {
    refused('p1_elimination', (json) => json.proof.messages.pop(), /one message per variable/);
    refused('p1_elimination', (json) => json.proof.order.reverse(), /separator|message/);
    refused('p1_elimination', (json) => (json.proof.order[1] = json.proof.order[0]), /twice/);
  });

  it('refuses values declared dead without a reason', () => {
    refused(
      'p1_reparametrisation',
      (json) => (json.proof.dead = [[json.values.length - 1, json.values.at(-1)]]),
      /not forbidden/,
    );
    refused('p1_no_solution_by_bounds', (json) => (json.unary[1][1] = 5), /not forbidden/);
  });

  it('refuses a step that is too full, and negative prices', () => {
    refused('p2', (json) => (json.keep = json.keep.map((row: number[]) => row.map(() => 1))), /more than its capacity/);
    refused('p2', (json) => (json.proof.prices[0][1] = -1), /negative/);
    refused('p2', (json) => (json.capacity = json.capacity.map((c: number) => c + 100)), /the proof gives/);
  });

  it('refuses overlapping buffers and a moment of less load', () => {
    refused('p3', (json) => (json.offsets = json.offsets.map(() => 0)), /overlap/);
    refused('p3', (json) => (json.offsets[0] = -1), /below 0/);
    refused('p3', (json) => (json.time = 8), /the proof gives/);
  });

  it('survives anything that is cut or not a certificate', () => {
    for (const text of ['', 'null', '[]', '{}', '{"certificate":1,"problem":"p4"}', '{"certificate":2}']) {
      expect(checkCertificate(text).valid).toBe(false);
    }
    const whole = read('p1_elimination');
    for (let cut = 0; cut < whole.length - 2; cut += 7) expect(checkCertificate(whole.slice(0, cut)).valid).toBe(false);
  });
});
