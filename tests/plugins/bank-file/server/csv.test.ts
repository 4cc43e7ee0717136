import { expect, test } from '@rstest/core';
import { readResultFile, writePaymentFile } from '../../../../src/plugins/bank-file/server/csv.ts';

test('a result file with an open quote is refused with a message', async () => {
  await expect(readResultFile('付款单号,结果\n"P1,成功\n')).rejects.toMatchObject({
    problem: { status: 400 },
    message: expect.stringContaining('cannot be read'),
  });
  expect(await readResultFile('付款单号,结果\n"P1",成功\n')).toMatchObject([{ payNo: 'P1', result: { outcome: 1 } }]);
});

test('a payment file has no text that a spreadsheet would run', () => {
  const line = { payNo: 'P1', name: '＝安', account: '1', bank: '-', amount: 100, remark: '\n+1' };
  expect(writePaymentFile([line]).split('\r\n')[1]).toBe(`"P1","'＝安","1","-","1.00","' +1"`);
});
