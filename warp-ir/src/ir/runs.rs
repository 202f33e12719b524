//! The encoded form of side tables whose neighbours are alike: values of one statement, places in one file.

/// Spans: how many neighbours have each.
pub(super) mod spans {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::ir::SourceId;
    use crate::validate::limits;

    pub(crate) fn serialize<S: Serializer>(spans: &[Option<SourceId>], to: S) -> Result<S::Ok, S::Error> {
        let runs = spans.chunk_by(|one, next| one == next).map(|run| (run.len(), run[0]));
        runs.collect::<Vec<_>>().serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Option<SourceId>>, D::Error> {
        let mut spans = vec![];
        for (count, span) in Vec::<(usize, Option<SourceId>)>::deserialize(from)? {
            // A few bytes could ask for any amount of memory.
            if count > limits::VALUES - spans.len() {
                return Err(D::Error::custom("there are more spans than a function may have values"));
            }
            spans.extend(std::iter::repeat_n(span, count));
        }
        Ok(spans)
    }
}

/// Places: the file stands where it is another one than before.
pub(super) mod sources {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::ir::Source;

    type Packed<'a> = (Option<std::borrow::Cow<'a, str>>, u32, u32, std::borrow::Cow<'a, str>);

    pub(crate) fn serialize<S: Serializer>(sources: &[Source], to: S) -> Result<S::Ok, S::Error> {
        let mut before = "";
        let packed = sources.iter().map(|source| -> Packed<'_> {
            let file = (source.file != before).then(|| source.file.as_str().into());
            before = &source.file;
            (file, source.line, source.column, source.text.as_str().into())
        });
        packed.collect::<Vec<_>>().serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Source>, D::Error> {
        let mut before = String::new();
        let sources = Vec::<Packed<'de>>::deserialize(from)?.into_iter().map(|(file, line, column, text)| {
            if let Some(file) = file {
                before = file.into_owned();
            }
            Source { file: before.clone(), line, column, text: text.into_owned() }
        });
        Ok(sources.collect())
    }
}
