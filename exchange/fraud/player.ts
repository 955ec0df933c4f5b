/**
 * The names that begin the user agents of players, televisions and ad stitchers. Bot lists made for browsers take a
 * plain name and version for a bot, but these programs play video, in apps and on websites.
 */
const PLAYER =
  /^(?:roku|appletv|apple ?tv|applecoremedia|exoplayer|androidxmedia3|stagefright|gstreamer|libvlc|vlc|kodi|tizen|webos|web0s|aft|vizio|smartcast|hbbtv|chromecast)/i;

/**
 * Servers that stitch ads into streams (SSAI) and fetch them through libavformat or under their own name. They show
 * nothing.
 */
const STITCHER = /^(?:lavf|libavformat|ffmpeg|(?:aws )?elemental[ -]?mediatailor|googleadinsertion|yospace)/i;

/** Whether a user agent is that of a server that stitches ads into streams on behalf of viewers. */
export function isStitcher(userAgent: string): boolean {
  return STITCHER.test(userAgent);
}

/** Whether a user agent is that of a known player: its plain name does not make it a bot. */
export function isPlayer(userAgent: string): boolean {
  return PLAYER.test(userAgent) || STITCHER.test(userAgent);
}
