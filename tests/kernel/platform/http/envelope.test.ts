import { describe, expect, test } from '@rstest/core';
import { parseEnvelope } from '../../../../src/kernel/platform/http/envelope.ts';
import { TransportError } from '../../../../src/kernel/platform/http/transport-error.ts';

const unknown = '未知错误';
const cases: [name: string, status: number, body: unknown, code: number, msg: string, data?: unknown][] = [
  ['a full envelope', 200, { code: 200, success: true, data: { id: '1' }, msg: '操作成功' }, 200, '操作成功', { id: '1' }],
  ['an envelope whose body refuses while HTTP is content', 200, { code: 400, msg: '业务异常', data: null }, 400, '业务异常'],
  ['a body that grants while HTTP refuses', 400, { code: 200, data: 1, msg: '' }, 200, '', 1],
  ['a gateway body without success', 401, { code: 401, msg: '缺失令牌,鉴权失败', data: null }, 401, '缺失令牌,鉴权失败'],
  ['a code in digits', 200, { code: '403', msg: '请求被拒绝' }, 403, '请求被拒绝'],
  ['a code that is null', 404, { code: null, msg: 'gone' }, 404, 'gone'],
  ['a code that is text', 500, { code: 'ERR', msg: '' }, 500, unknown],
  ['no code and no words', 500, {}, 500, unknown],
  ['words in error_description', 400, { error: 'invalid_grant', error_description: '用户名或密码错误' }, 400, '用户名或密码错误'],
  ['msg before error_description', 400, { msg: 'first', error_description: 'second' }, 400, 'first'],
  ['blank words', 400, { msg: '  ', error_description: 'null' }, 400, unknown],
  ['an empty envelope', 200, {}, 200, '', null],
  ['an envelope without data', 200, { code: 200 }, 200, '', null],
  ['no body at all', 200, '', 200, '', null],
  ['204', 204, '', 200, '', null],
  ['a page of HTML behind a refusal', 404, '<html>', 404, unknown],
];

describe('parsing of a response', () => {
  for (const [name, status, body, code, msg, data = null] of cases) {
    test(name, () => {
      expect(parseEnvelope({ status, body }, {}, unknown)).toEqual({ success: code === 200, code, data, msg });
    });
  }

  test('a bare reply is its own data', () => {
    const body = { access_token: 'a' };
    expect(parseEnvelope({ status: 200, body }, { bare: true }, unknown)).toEqual({ success: true, code: 200, data: body, msg: '' });
  });

  test('a bare reply with an error description is refused though its status is 200', () => {
    expect(parseEnvelope({ status: 200, body: { error_description: '验证码不正确' } }, { bare: true }, unknown)).toMatchObject({
      success: false,
      code: 400,
      msg: '验证码不正确',
    });
  });

  test('an HTML page is no answer', () => {
    expect(() => parseEnvelope({ status: 200, body: '<html>' }, {}, unknown)).toThrow(TransportError);
  });
});
