import { expect, test } from '@rstest/core';
import { firstInvalidLine, matchesPatterns } from '#shared/link-patterns';

test.each([
  ['www.douyin.com/video/*', 'https://www.douyin.com/video/7300', true],
  ['www.douyin.com/video/*', 'http://www.douyin.com/video/7300?from=web#top', true],
  ['https://www.douyin.com/video/*', 'http://www.douyin.com/video/7300', false],
  ['www.douyin.com/video/*', 'https://www.douyin.com/video/7300/comments', false],
  ['www.douyin.com/video/**', 'https://www.douyin.com/video/7300/comments', true],
  ['*.douyin.com', 'https://v.douyin.com/iRNBho6/', true],
  ['*.douyin.com', 'https://a.b.douyin.com/', true],
  ['*.douyin.com', 'https://douyin.com/', false],
  ['*.douyin.com', 'https://evildouyin.com/', false],
  ['*.douyin.com', 'https://v.douyin.com.evil.cn/', false],
  ['*.douyin.com', 'https://v.douyin.com@evil.cn/', false],
  ['*.douyin.com', 'https://evil.cn/v.douyin.com', false],
  ['*.douyin.com', 'javascript://v.douyin.com/%0aalert(1)', false],
  ['*.douyin.com', 'https://v.douyin.com:8443/', false],
  ['*.douyin.com:8443', 'https://v.douyin.com:8443/', true],
  ['https://*.douyin.com:443', 'https://v.douyin.com/', true],
  ['*.douyin.com:443', 'http://v.douyin.com/', false],
  ['*.douyin.com:80', 'http://v.douyin.com/', true],
  ['WWW.Douyin.com/Video/*', 'https://www.douyin.com/Video/1', true],
  ['www.douyin.com/Video/*', 'https://www.douyin.com/video/1', false],
  ['www.xiaohongshu.com/explore/*', 'https://www.xiaohongshu.com/explore/../user/1', false],
  ['mp.weixin.qq.com/s?__biz=*&mid=*', 'https://mp.weixin.qq.com/s?mid=2&x=1&__biz=Mz', true],
  ['mp.weixin.qq.com/s?__biz=*&mid=*', 'https://mp.weixin.qq.com/s?mid=2', false],
  ['example.com/话题/*', 'https://example.com/%E8%AF%9D%E9%A2%98/1', true],
  ['\n a.cn/x \n b.cn/* ', 'https://b.cn/y', true],
  ['', 'https://b.cn/y', false],
  ['b.cn', 'not a link', false],
])('%j matches %s: %s', (patterns, link, isMatch) => {
  expect(firstInvalidLine(patterns)).toBeUndefined();
  expect(matchesPatterns(patterns, link)).toBe(isMatch);
});

test.each([
  ['a.cn\n*', 2],
  ['a.cn\n\nwww.*.com', 3],
  ['a*.cn', 1],
  ['localhost', 1],
  ['ftp://a.cn', 1],
  ['a.cn:99999', 1],
  ['a.cn/x y', 1],
  [`a.cn/${'x'.repeat(300)}`, 1],
  ['a.cn\n'.repeat(21), 21],
])('the first invalid line of %j is %s', (patterns, line) => expect(firstInvalidLine(patterns)).toBe(line));

// Trying all combinations of the wildcards would outlast any time limit of a test.
test('the cost of many wildcards is bounded by their number times the length of the link', () => {
  const stars = `a.cn/${'**a'.repeat(90)}`;
  expect(firstInvalidLine(stars)).toBeUndefined();
  expect(matchesPatterns(`${stars}\n`.repeat(20), `https://a.cn/${'a'.repeat(1900)}b`)).toBe(false);
});
