//! A cache of processed assets, keyed by their inputs.

use std::any::Any;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, TryLockError};
use std::time::{Duration, Instant};

use crate::asset::error::AssetError;
use crate::asset::fingerprint::{Fingerprint, Keys};
use crate::asset::source::ReadFile;

/// Initial capacity of the shared cache in bytes, the same as MuJoCo's.
const CAPACITY: usize = 500 << 20;

/// The longest wait for the lock. Threads hold it for microseconds; a lock that stays is held by a
/// thread of the process that this one was forked from.
const PATIENCE: Duration = Duration::from_millis(50);

/// A processed asset, or why there is none.
pub(crate) type Made<T> = Result<Arc<T>, AssetError>;

/// All that decides a processed asset, and how it is made.
pub(crate) trait Recipe {
    /// The processed asset.
    type Made: Send + Sync + 'static;

    /// The files that are read.
    fn files(&self) -> Vec<&str>;

    /// Adds all settings that decide the result to a fingerprint; the contents of the files follow.
    fn add_settings(&self, to: &mut Fingerprint<'_>);

    /// Makes the asset.
    fn make(&self, read: &mut ReadFile<'_>) -> Result<Self::Made, AssetError>;

    /// Bytes of memory that the asset takes.
    fn bytes(made: &Self::Made) -> usize;
}

/// A cache of processed assets: meshes with their hulls and trees, textures and height fields.
///
/// An asset is found by the contents of its files and by its settings. Every load reads the files,
/// so a changed file is never mistaken for its former self. A model from the cache has the same
/// bytes as one without. When the cache is full, the assets that were used least recently leave it.
///
/// Clones share their assets, and threads may share a cache. A forked process has a copy.
///
/// ```
/// use sinew_mjcf::{AssetCache, Assets, LoadOptions, load_str};
///
/// let xml = r#"<mujoco><asset><mesh name="rock" builtin="sphere" params="3"/></asset>
///     <worldbody><geom type="mesh" mesh="rock"/></worldbody></mujoco>"#;
/// let options = LoadOptions { cache: AssetCache::new(1 << 20), ..LoadOptions::default() };
/// let first = load_str(xml, &Assets::new(), &options)?.model;
/// assert!(options.cache.size() > 0);
/// let second = load_str(xml, &Assets::new(), &options)?.model; // no hull is computed
/// assert_eq!(first.to_binary(), second.to_binary());
/// # Ok::<(), sinew_mjcf::diag::Error>(())
/// ```
#[doc(alias = "mjCache")]
#[derive(Clone)]
pub struct AssetCache {
    shared: Arc<Shared>,
}

struct Shared {
    capacity: AtomicUsize,
    keys: Keys,
    assets: Mutex<Stored>,
    /// Whether the lock did not become free when it was last waited for.
    lost: AtomicBool,
}

/// A fingerprint.
type Key = [u64; 2];

/// The assets of a cache.
#[derive(Default)]
struct Stored {
    assets: HashMap<Key, Entry>,
    /// Assets by the time of their last use.
    by_use: BTreeMap<u64, Key>,
    /// The number of uses so far.
    uses: u64,
    bytes: usize,
}

struct Entry {
    asset: Arc<dyn Any + Send + Sync>,
    bytes: usize,
    used: u64,
}

impl AssetCache {
    /// An empty cache of at most `capacity` bytes; 0 turns it off.
    pub fn new(capacity: usize) -> AssetCache {
        let shared = Shared {
            capacity: capacity.into(),
            keys: Keys::new(),
            assets: Mutex::default(),
            lost: false.into(),
        };
        AssetCache { shared: shared.into() }
    }

    /// The cache of the process, which [`LoadOptions::default`](crate::LoadOptions) uses: at first
    /// 500 MiB.
    #[doc(alias = "mj_getCache")]
    pub fn shared() -> AssetCache {
        static SHARED: OnceLock<AssetCache> = OnceLock::new();
        SHARED.get_or_init(|| AssetCache::new(CAPACITY)).clone()
    }

    /// Maximum number of bytes that the assets may take.
    #[doc(alias = "mj_getCacheCapacity")]
    pub fn capacity(&self) -> usize {
        self.shared.capacity.load(Ordering::Relaxed)
    }

    /// Bytes that the assets take.
    #[doc(alias = "mj_getCacheSize")]
    pub fn size(&self) -> usize {
        self.lock().map_or(0, |stored| stored.bytes)
    }

    /// Sets how many bytes the assets may take; assets beyond leave. 0 turns the cache off.
    #[doc(alias = "mj_setCacheCapacity")]
    pub fn set_capacity(&self, capacity: usize) {
        self.shared.capacity.store(capacity, Ordering::Relaxed);
        let removed = self.lock().map(|mut stored| stored.shrink_to(capacity));
        drop(removed);
    }

    /// Removes all assets.
    #[doc(alias = "mj_clearCache")]
    pub fn clear(&self) {
        let removed = self.lock().map(|mut stored| stored.shrink_to(0));
        drop(removed);
    }

    /// The asset of a recipe: a cached one if there is one of the same settings and contents.
    pub(crate) fn make<R: Recipe>(&self, recipe: &R, read: &mut ReadFile<'_>) -> Made<R::Made> {
        if self.capacity() == 0 {
            return recipe.make(read).map(Arc::new);
        }

        // the files; one that cannot be read is an error of the recipe
        let mut contents: Vec<(&str, Cow<'_, [u8]>)> = Vec::new();
        for path in recipe.files() {
            match read(path) {
                Ok(bytes) => contents.push((path, bytes)),
                Err(_) => return recipe.make(read).map(Arc::new),
            }
        }

        // found assets
        let key = self.key(recipe, &contents);
        if let Some(asset) = self.get(key).and_then(|asset| asset.downcast().ok()) {
            return Ok(asset);
        }

        // missing assets
        let mut read_again = |path: &str| match contents.iter().find(|(known, _)| *known == path) {
            Some((_, bytes)) => Ok(Cow::Borrowed(&**bytes)),
            None => read(path),
        };
        let made = Arc::new(recipe.make(&mut read_again)?);
        self.insert(key, made.clone(), R::bytes(&made));
        Ok(made)
    }

    fn key<R: Recipe>(&self, recipe: &R, contents: &[(&str, Cow<'_, [u8]>)]) -> Key {
        let mut fingerprint = self.shared.keys.fingerprint();
        fingerprint.add(std::any::TypeId::of::<R::Made>());
        recipe.add_settings(&mut fingerprint);
        contents.iter().for_each(|(_, bytes)| fingerprint.add_bytes(bytes));
        fingerprint.finish()
    }

    fn get(&self, key: Key) -> Option<Arc<dyn Any + Send + Sync>> {
        self.lock()?.get(key)
    }

    fn insert(&self, key: Key, asset: Arc<dyn Any + Send + Sync>, bytes: usize) {
        let capacity = self.capacity();
        if bytes > capacity {
            return;
        }
        // dropped after the lock is free
        let removed = self.lock().map(|mut stored| {
            stored.insert(key, asset, bytes);
            stored.shrink_to(capacity)
        });
        drop(removed);
    }

    /// The assets; none if a thread that a fork left behind has them, which is a cache that is off.
    fn lock(&self) -> Option<MutexGuard<'_, Stored>> {
        let Shared { assets, lost, .. } = &*self.shared;
        let start = Instant::now();
        loop {
            match assets.try_lock() {
                Ok(stored) => {
                    lost.store(false, Ordering::Relaxed);
                    return Some(stored);
                }
                Err(TryLockError::Poisoned(stored)) => return Some(stored.into_inner()),
                Err(TryLockError::WouldBlock) => {
                    if lost.load(Ordering::Relaxed) || start.elapsed() > PATIENCE {
                        lost.store(true, Ordering::Relaxed);
                        return None;
                    }
                    std::thread::yield_now();
                }
            }
        }
    }
}

impl Stored {
    fn get(&mut self, key: Key) -> Option<Arc<dyn Any + Send + Sync>> {
        let entry = self.assets.get_mut(&key)?;
        self.by_use.remove(&entry.used);
        self.uses += 1;
        entry.used = self.uses;
        self.by_use.insert(entry.used, key);
        Some(entry.asset.clone())
    }

    /// Adds an asset, unless another thread was faster.
    fn insert(&mut self, key: Key, asset: Arc<dyn Any + Send + Sync>, bytes: usize) {
        if self.assets.contains_key(&key) {
            return;
        }
        self.uses += 1;
        self.by_use.insert(self.uses, key);
        self.assets.insert(key, Entry { asset, bytes, used: self.uses });
        self.bytes += bytes;
    }

    /// Takes out the assets used least recently until at most `bytes` are left, and returns them.
    fn shrink_to(&mut self, bytes: usize) -> Vec<Entry> {
        let mut removed = Vec::new();
        while self.bytes > bytes
            && let Some((_, key)) = self.by_use.pop_first()
        {
            if let Some(entry) = self.assets.remove(&key) {
                self.bytes -= entry.bytes;
                removed.push(entry);
            }
        }
        removed
    }
}

/// Two caches are equal if they are one.
impl PartialEq for AssetCache {
    fn eq(&self, other: &AssetCache) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }
}

impl Eq for AssetCache {}

impl fmt::Debug for AssetCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AssetCache({} of {} bytes)", self.size(), self.capacity())
    }
}

/// Bytes of memory behind a list.
pub(crate) fn bytes_of<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// An asset that is a copy of its file.
    struct Copy(&'static str);

    impl Recipe for Copy {
        type Made = Vec<u8>;

        fn files(&self) -> Vec<&str> {
            vec![self.0]
        }

        fn add_settings(&self, _: &mut Fingerprint<'_>) {}

        fn make(&self, read: &mut ReadFile<'_>) -> Result<Vec<u8>, AssetError> {
            read(self.0).map(Cow::into_owned).map_err(AssetError::new)
        }

        fn bytes(made: &Vec<u8>) -> usize {
            made.len()
        }
    }

    fn copy(cache: &AssetCache, content: &'static [u8]) -> Arc<Vec<u8>> {
        let made = cache.make(&Copy("a"), &mut |_| Ok(Cow::Borrowed(content))).unwrap();
        assert_eq!(*made, content);
        made
    }

    #[test]
    fn the_least_recently_used_leaves_first() {
        let cache = AssetCache::new(10);
        let [a, b] = [copy(&cache, b"aaaa"), copy(&cache, b"bbbb")];
        assert_eq!(cache.size(), 8);
        assert!(Arc::ptr_eq(&a, &copy(&cache, b"aaaa")));
        copy(&cache, b"cccc");
        assert_eq!(cache.size(), 8);
        assert!(Arc::ptr_eq(&a, &copy(&cache, b"aaaa")));
        assert!(!Arc::ptr_eq(&b, &copy(&cache, b"bbbb")));
    }

    #[test]
    fn sizes_are_kept() {
        let cache = AssetCache::new(10);
        copy(&cache, b"more than ten bytes");
        assert_eq!(cache.size(), 0);
        copy(&cache, b"aaaa");
        copy(&cache, b"bbbb");
        cache.set_capacity(5);
        assert_eq!((cache.size(), cache.capacity()), (4, 5));
        cache.clear();
        assert_eq!((cache.size(), cache.capacity()), (0, 5));
        cache.set_capacity(0);
        copy(&cache, b"cccc");
        assert_eq!(cache.size(), 0);
    }

    #[test]
    fn errors_are_not_kept() {
        let cache = AssetCache::new(10);
        let missing = cache.make(&Copy("a"), &mut |path| Err(format!("no file '{path}'")));
        assert_eq!(missing.unwrap_err().message, "no file 'a'");
        copy(&cache, b"aaaa");
    }

    #[test]
    fn a_lock_that_is_lost_turns_the_cache_off() {
        let cache = AssetCache::new(10);
        let a = copy(&cache, b"aaaa");
        // as after a fork while another thread had the lock
        let held = cache.shared.assets.lock().unwrap();
        for _ in 0..100 {
            assert!(!Arc::ptr_eq(&a, &copy(&cache, b"aaaa")));
        }
        cache.clear();
        assert_eq!(cache.size(), 0);
        drop(held);
        assert!(Arc::ptr_eq(&a, &copy(&cache, b"aaaa")));
    }

    #[test]
    fn threads_share_a_cache() {
        let cache = AssetCache::new(6);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for i in 0..3000 {
                        copy(&cache, [&b"aaaa"[..], b"bb", b"cccc", b"d"][i % 4]);
                    }
                });
            }
        });
        assert!(cache.size() <= 6);
    }
}
