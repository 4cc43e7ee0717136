/** Stub for Message and Notification in Arco's ConfigProvider, which only calls `config`. The real ones are loaded with the first toast and keep their defaults. */
const noticeConfigStub = { config: () => undefined };

export default noticeConfigStub;
