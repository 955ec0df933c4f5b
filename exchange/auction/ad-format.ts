export type AdFormat = 'banner' | 'video' | 'audio' | 'native';
