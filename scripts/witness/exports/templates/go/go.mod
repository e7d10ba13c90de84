module utf8-assay/vectors

go 1.18
