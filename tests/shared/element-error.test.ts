import { expect, test } from '@rstest/core';
import { elementError } from '../support/element-error.ts';

test('a missing element is reported with the names of the others, without their markup', () => {
  const report = 'Unable to find an accessible element with the role "button" and name "确定"\n\nHere are the accessible roles:\n\n';
  const roles = '  banner:\n\n  Name "":\n  <header />\n\n  ---\n  button:\n\n  Name "归还":\n  <button />\n\n  Name "取消":\n  <button />\n';
  const { message } = elementError(report + roles, { textContent: '归还取消' });
  expect(message).toBe('Unable to find an accessible element with the role "button" and name "确定"\n  button: 归还 · 取消');
  expect(elementError(message, { textContent: '归还取消' }).message).toBe(message);
  expect(elementError(report + roles, { textContent: '归还取消' }, ['/api/shop/lamp/list']).message).toContain(
    '"确定"\n  calls without an answer: /api/shop/lamp/list\n  button:',
  );
  expect(elementError('Unable to find an element with the text: 相机', { textContent: '手机' }).message).toContain('text: 手机');
});
