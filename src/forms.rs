//! `two_forms!`: types whose forms in text formats and in binary formats differ.

/// Defines a type with two forms of the feature `serde`. The `serde` attributes of the type, its variants and its fields
/// describe the form in text formats. Binary formats write every field in order and variants by name or number, because
/// some of them cannot read optional fields, tags among the fields or values of an unknown type.
///
/// The container's `serde` attribute comes first. `#[text(path)]` in its place names a type or module with the functions
/// `serialize` and `deserialize` of the text form. `#[check(path)]` in its place names a function from a value to a
/// `Result`, which every reader calls.
macro_rules! two_forms {
    (#[text($text:path)] $($item:tt)*) => {
        two_forms! { @define [with $text] [] $($item)* }
    };
    (#[check($check:path)] $($item:tt)*) => {
        two_forms! { @define [] [$check] $($item)* }
    };
    (#[serde($($text:tt)*)] $($item:tt)*) => {
        two_forms! { @define [, $($text)*] [] $($item)* }
    };
    (@define [$($text:tt)*] [$($check:path)?]
        $(#[$meta:meta])* $vis:vis $kind:ident $name:ident { $($body:tt)* }
    ) => {
        two_forms! { @plain [$(#[$meta])* $vis] $kind $name { $($body)* } }

        #[cfg(feature = "serde")]
        const _: () = {
            type Target = $name;

            two_forms! { @text [$($text)*] $kind { $($body)* } }
            two_forms! {
                @plain [#[derive(serde::Serialize, serde::Deserialize)] #[serde(remote = "Target")]]
                $kind BinaryForm { $($body)* }
            }

            impl serde::Serialize for Target {
                fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    match serializer.is_human_readable() {
                        true => TextForm::serialize(self, serializer),
                        false => BinaryForm::serialize(self, serializer),
                    }
                }
            }

            impl<'de> serde::Deserialize<'de> for Target {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let value = match deserializer.is_human_readable() {
                        true => TextForm::deserialize(deserializer),
                        false => BinaryForm::deserialize(deserializer),
                    };
                    $(let value = value.and_then(|value| $check(value).map_err(serde::de::Error::custom));)?
                    value
                }
            }
        };
    };
    (@text [with $text:path] $kind:ident { $($body:tt)* }) => {
        use $text as TextForm;
    };
    (@text [$($text:tt)*] $kind:ident { $($body:tt)* }) => {
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(remote = "Target" $($text)*)]
        $kind TextForm { $($body)* }
    };
    (@plain [$($head:tt)*] enum $name:ident { $(
        $(#[doc = $doc:literal])*
        $(#[serde($($text:tt)*)])?
        $variant:ident
        $(($($inner:ty),*))?
        $({ $(
            $(#[doc = $field_doc:literal])*
            $(#[serde($($field_text:tt)*)])?
            $field:ident: $type:ty
        ),* $(,)? })?
    ),* $(,)? }) => {
        $($head)* enum $name { $(
            $(#[doc = $doc])*
            $variant
            $(($($inner),*))?
            $({ $($(#[doc = $field_doc])* $field: $type),* })?
        ),* }
    };
    (@plain [$($head:tt)*] struct $name:ident { $(
        $(#[doc = $doc:literal])*
        $(#[serde($($text:tt)*)])?
        $vis:vis $field:ident: $type:ty
    ),* $(,)? }) => {
        $($head)* struct $name { $($(#[doc = $doc])* $vis $field: $type),* }
    };
    (# $($item:tt)*) => {
        two_forms! { @define [] [] # $($item)* }
    };
}

pub(crate) use two_forms;
