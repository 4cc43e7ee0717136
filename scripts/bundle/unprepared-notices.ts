/** Replaces Message and Notification where Arco only configures them: ours keep their defaults and are loaded with the first toast. */
const unpreparedNotices = { config: () => undefined };

export default unpreparedNotices;
