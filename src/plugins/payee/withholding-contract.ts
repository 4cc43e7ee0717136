import { crud, entity, type RowOf, withoutCalls } from '#shared/contract';
import { problem } from '#shared/errors';
import { DateOnly, Decimal, Id, LongText, Money, Select, Text } from '#shared/fields';
import { withholdingRuleMenu } from './menus.ts';

/** Income from which a rule computes the tax: each payment alone, or all payments to the payee in the month or the year, less the tax that was withheld from them. */
export const withholdingBases = { payment: 1, month: 2, year: 3 } as const;
/** Ways to combine the fixed and the proportional allowance. */
export const allowanceMethods = { sum: 1, greater: 2 } as const;

const allowance = ['费用与减除', 'Allowance'] as const;

/** Rule by which tax is withheld from payouts as of a day. Amounts are in 分, rates in percent. */
export const WithholdingRule = entity('withholding_rule', {
  id: Id(),
  name: Text({ title: ['规则名称', 'Name'], maxLength: 64, search: true }),
  validFrom: DateOnly({
    title: ['生效日期', 'Valid from'],
    search: true,
    sort: true,
    notPast: true,
    help: ['发起付款当天适用的规则，为生效日期不晚于当天的最近一条', 'On the day a payment starts, the latest rule that is valid by then applies'],
  }),
  basis: Select({
    title: ['计算方法', 'Method'],
    options: [
      [withholdingBases.payment, ['按次', 'Each payment']],
      [withholdingBases.month, ['按月累计', 'Accumulated over the month']],
      [withholdingBases.year, ['按年累计预扣', 'Accumulated over the year']],
    ],
    default: withholdingBases.year,
  }),
  allowanceRate: Decimal({
    title: ['费用比例', 'Proportional allowance'],
    minimum: 0,
    maximum: 100,
    default: 0,
    unit: ['%', '%'],
    list: false,
    group: allowance,
  }),
  allowanceFixed: Money({
    title: ['定额减除', 'Fixed allowance'],
    default: 0,
    list: false,
    help: ['按次、按月各减一次；按年累计时乘以当年有收入的月数', 'Once per payment or month; over the year, times the months of the year with income'],
    group: allowance,
  }),
  allowanceMethod: Select({
    title: ['两项合并方式', 'Combine by'],
    options: [
      [allowanceMethods.sum, ['相加', 'Sum']],
      [allowanceMethods.greater, ['取较大者', 'Larger of the two']],
    ],
    default: allowanceMethods.sum,
    list: false,
    group: allowance,
  }),
  bands: LongText({
    title: ['税率表', 'Tax brackets'],
    maxLength: 2000,
    list: false,
    placeholder: ['0 20 0\n20000 30 2000\n50000 40 7000', '0 20 0\n20000 30 2000\n50000 40 7000'],
    help: [
      '每行一级：超过的金额（元） 税率（%） 速算扣除数（元），从 0 起递增；不扣税写 0 0 0',
      'One bracket per line: amount that is exceeded (yuan), rate (%), quick deduction (yuan), rising from 0. To withhold nothing: 0 0 0',
    ],
  }),
  source: LongText({ title: ['依据', 'Source'], maxLength: 500, help: ['文号与条款，以及由谁确认', 'Document and article, and who has confirmed it'] }),
});
export type WithholdingRuleRow = RowOf<typeof WithholdingRule>;

export const withholdingRule = withoutCalls(crud('/api/things-task/withholding-rule', WithholdingRule, { menu: withholdingRuleMenu.code }), 'import', 'export');

export const withholdingProblems = {
  wrongBand: problem(400, [
    '税率表第 {line} 行不正确，应为：金额 税率 速算扣除数',
    'Line {line} of the tax brackets is not valid. Enter: amount, rate, quick deduction.',
  ]),
  unsortedBands: problem(400, ['税率表须从 0 起，金额逐行递增', 'Tax brackets must start at 0 and increase line by line.']),
  ruleInUse: problem(409, [
    '该规则已用于付款，不能修改或删除，请新增一条更晚生效的规则',
    'This rule has been used for payments and cannot be changed or deleted. Add a rule that takes effect on a later day.',
  ]),
};
