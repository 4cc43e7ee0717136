import { expect, test } from '@rstest/core';
import { isEmpty, isHttpUrl, languageOf, localize, snakeCase } from '#shared/text';

test('null, the empty string, the words null and undefined, and nothing inside are empty; booleans and numbers never', () => {
  for (const empty of [null, undefined, '', 'null', 'undefined', [], {}]) expect(isEmpty(empty)).toBe(true);
  for (const full of [false, true, 0, -1, Number.NaN, ' ', 'a', [0], { a: undefined }]) expect(isEmpty(full)).toBe(false);
});

test('a URL is absolute when it begins with http or https', () => {
  for (const url of ['http://a', 'https://a', 'HTTPS://A']) expect(isHttpUrl(url)).toBe(true);
  for (const url of ['/a', '//a', 'ftp://a', 'javascript:alert(1)', '']) expect(isHttpUrl(url)).toBe(false);
});

test('places in a text are filled, and a place without a value stays readable', () => {
  expect(localize(['{name}已存在', '{name} already exists.'], 'en', { name: 'Key' })).toBe('Key already exists.');
  expect(localize(['{name}已存在', '{name} already exists.'], 'zh')).toBe('{name}已存在');
});

test('texts are in Chinese unless English is requested first', () => {
  expect(languageOf(undefined)).toBe('zh');
  expect(languageOf('en-GB,en;q=0.9,zh;q=0.8')).toBe('en');
  expect(languageOf('zh-CN,en;q=0.5')).toBe('zh');
  expect(languageOf('enochian')).toBe('zh');
});

test('a field is called in snake case by database and sorts', () => {
  expect(snakeCase('paramName')).toBe('param_name');
});
