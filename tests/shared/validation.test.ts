import { expect, test } from '@rstest/core';
import { Param } from '#plugins/settings/contract';
import { Integer, Nullable, Select, Text } from '#shared/fields';
import { fieldProblem, objectProblem } from '#shared/validation';

test('the message for a missing text asks to enter it, for a missing option to select one', () => {
  expect(fieldProblem(Param.fields.paramName, '', true)).toEqual(['请输入参数名称', 'Parameter name is required']);
  expect(fieldProblem(Select({ title: ['类型', 'URL kind'], options: [['a', ['甲', 'A']]] }), undefined, true)).toEqual(['请选择类型', 'URL kind is required']);
});

test('white space alone is not a value, and an optional field may stay empty', () => {
  expect(fieldProblem(Param.fields.paramName, '   ', true)).toBeDefined();
  expect(fieldProblem(Nullable(Text({ title: ['备注', 'Remark'] })), null, false)).toBeUndefined();
});

test('length is counted in characters, not in code units', () => {
  const name = Text({ title: ['名称', 'Name'], maxLength: 2 });
  expect(fieldProblem(name, '🦊🦊', true)).toBeUndefined();
  expect(fieldProblem(name, 'abc', true)).toEqual(['名称不能超过2个字符', 'Name can have up to 2 characters']);
});

test('an integer has no fraction and is within its limits', () => {
  const sort = Integer({ title: ['排序', 'Order'], minimum: 0, maximum: 9 });
  expect(fieldProblem(sort, 3, true)).toBeUndefined();
  expect(fieldProblem(sort, 0, true)).toBeUndefined();
  expect(fieldProblem(sort, 10, true)).toEqual(['排序须在0到9之间', 'Order must be between 0 and 9']);
  expect(fieldProblem(sort, 1.5, true)).toEqual(['排序须为整数', 'Order must be an integer']);
});

test('a choice is one of its options', () => {
  const sealed = Select({
    title: ['封存', 'Sealed'],
    options: [
      [0, ['否', 'No']],
      [1, ['是', 'Yes']],
    ],
  });
  expect(fieldProblem(sealed, 0, true)).toBeUndefined();
  expect(fieldProblem(sealed, 2, true)).toEqual(['封存不是可选的值', 'Sealed is not one of the options']);
});

test('an object is validated field by field in the order of declaration, up to the first problem', () => {
  expect(objectProblem(Param.form, { paramName: 'a' })).toEqual({ name: 'paramKey', message: ['请输入参数键名', 'Parameter key is required'] });
  expect(objectProblem(Param.form, { paramName: 'a', paramKey: 'b', paramValue: 'c' })).toBeUndefined();
});
