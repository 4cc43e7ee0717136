// Loaded before a server: what it asks of WeChat Pay is answered at the address the environment names.
const there = 'https://api.mch.weixin.qq.com';
const { fetch: ask } = globalThis;
globalThis.fetch = (address, options) => ask(String(address).replace(there, process.env.WECHAT_PAY_ELSEWHERE), options);
